"""The official Python client (PyPI mcp) against our examples, in both eras.

    python_client.py TARGET...

A target is the path of a server to start over stdio, or the URL of one that runs. Which checks apply follows from the
tools that the server lists. The last line is `N passed, N failed`.
"""

import re
import sys
import warnings
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager

import anyio
import jsonschema
import mcp_types as types
from mcp import Client, MCPError, StdioServerParameters

# `mode`: what to ask for, and the era that must come of it.
ERAS = {"legacy": "2025-11-25", "2026-07-28": "2026-07-28", "auto": "2026-07-28"}
PATIENCE = 20


class Session:
    """A connected client and what it has heard."""

    def __init__(self, target: str, mode: str):
        self.target = target
        self.mode = mode
        self.logs: list[types.LoggingMessageNotificationParams] = []
        self.heard: list[object] = []
        self.client: Client | None = None

    @property
    def is_legacy(self) -> bool:
        return self.mode == "legacy"

    @asynccontextmanager
    async def connected(self):
        server = self.target if "://" in self.target else StdioServerParameters(command=self.target)
        async with Client(
            server,
            mode=self.mode,
            cache=None,
            log_level="debug",
            logging_callback=self.on_log,
            message_handler=self.on_message,
            elicitation_callback=self.on_elicitation,
            client_info=types.Implementation(name="python-interop", version="1"),
        ) as self.client:
            yield self.client

    async def on_log(self, params):
        self.logs.append(params)

    async def on_message(self, message):
        self.heard.append(message)

    async def on_elicitation(self, context, params):
        """Answers each field of the form with a value of its type."""
        samples = {"string": "Ada", "integer": 7, "number": 7.5, "boolean": True}
        fields = params.requested_schema.get("properties", {})
        content = {
            name: "ada@example.com" if field.get("format") == "email" else field.get("enum", [samples.get(field.get("type"))])[0]
            for name, field in fields.items()
        }
        return types.ElicitResult(action="accept", content=content)


def text(result) -> str:
    return "\n".join(block.text for block in result.content if block.type == "text")


async def protocol_error(call: Awaitable) -> int:
    try:
        result = await call
    except MCPError as error:
        return error.code
    raise AssertionError(f"a JSON-RPC error was due, not {result!r}")


async def until(condition: Callable[[], bool]):
    with anyio.fail_after(5):
        while not condition():
            await anyio.sleep(0.01)


# Every server


async def the_era_is_the_one_asked_for(s: Session):
    assert s.client.protocol_version == ERAS[s.mode], s.client.protocol_version
    if s.mode != "2026-07-28":  # a pinned client asks nobody who the server is
        assert s.client.server_info.name and s.client.server_info.version, s.client.server_info
        assert s.client.server_capabilities.tools is not None


async def tools_have_descriptions_and_object_schemas(s: Session):
    for tool in (await s.client.list_tools()).tools:
        assert tool.description, tool
        assert tool.input_schema["type"] == "object", tool
        # Nobody who wrote either of us judges whether they are schemas.
        jsonschema.Draft202012Validator.check_schema(tool.input_schema)
        if tool.output_schema is not None:
            jsonschema.Draft202012Validator.check_schema(tool.output_schema)


async def an_unknown_tool_is_invalid_params(s: Session):
    assert await protocol_error(s.client.call_tool("no_such_tool", {})) == -32602


async def an_unknown_resource_has_the_code_of_its_era(s: Session):
    code = await protocol_error(s.client.read_resource("test://no/such/resource/anywhere"))
    assert code == (-32002 if s.is_legacy else -32602), code


async def an_unknown_prompt_is_invalid_params(s: Session):
    assert await protocol_error(s.client.get_prompt("no_such_prompt")) == -32602


async def ping_is_answered_in_the_legacy_era(s: Session):
    if s.is_legacy:
        await s.client.send_ping()
    else:
        assert await protocol_error(s.client.session.send_ping()) == -32601


# The quickstart


async def numbers_are_added(s: Session):
    result = await s.client.call_tool("add_numbers", {"a": 12, "b": 30})
    assert not result.is_error and "42" in text(result), result


async def a_bad_argument_is_an_error_that_the_model_sees(s: Session):
    result = await s.client.call_tool("add_numbers", {"a": "a dozen", "b": 30})
    assert result.is_error and "a" in text(result), result


async def the_template_is_listed_and_read(s: Session):
    templates = (await s.client.list_resource_templates()).resource_templates
    assert templates, "no template"
    uri = re.sub(r"\{[^}]*\}", "7", templates[0].uri_template)
    contents = (await s.client.read_resource(uri)).contents
    assert contents and contents[0].uri == uri and contents[0].text, contents


async def the_prompt_is_listed_and_fetched(s: Session):
    prompt = (await s.client.list_prompts()).prompts[0]
    arguments = {argument.name: "7" for argument in prompt.arguments or []}
    messages = (await s.client.get_prompt(prompt.name, arguments)).messages
    assert messages and messages[0].content.text, messages


# The conformance fixture


async def every_kind_of_content_arrives(s: Session):
    kinds = {
        "test_simple_text": ["text"],
        "test_image_content": ["image"],
        "test_audio_content": ["audio"],
        "test_embedded_resource": ["resource"],
    }
    for name, expected in kinds.items():
        result = await s.client.call_tool(name)
        assert [block.type for block in result.content] == expected, result
    embedded = result.content[0].resource
    assert (embedded.uri, embedded.mime_type) == ("test://embedded-resource", "text/plain"), embedded


async def structured_content_fits_the_schema_of_its_tool(s: Session):
    tool = next(tool for tool in (await s.client.list_tools()).tools if tool.name == "test_structured_content")
    result = await s.client.call_tool(tool.name, {"location": "Paris"})
    jsonschema.Draft202012Validator(tool.output_schema).validate(result.structured_content)
    assert result.structured_content["conditions"] == "Sunny in Paris", result


async def a_tool_error_is_a_result(s: Session):
    result = await s.client.call_tool("test_error_handling")
    assert result.is_error and "intentionally returns an error" in text(result), result


async def progress_rises_to_its_total(s: Session):
    seen = []

    async def on_progress(progress, total, message):
        seen.append((progress, total))

    await s.client.call_tool("test_tool_with_progress", progress_callback=on_progress)
    assert seen == [(0, 100), (50, 100), (100, 100)], seen


async def logs_arrive_while_a_tool_runs(s: Session):
    if s.is_legacy:
        await s.client.set_logging_level("debug")
    s.logs.clear()
    await s.client.call_tool("test_tool_with_logging")
    await until(lambda: len(s.logs) >= 3)
    assert {entry.level for entry in s.logs} == {"info"}, s.logs


async def static_resources_are_read(s: Session):
    listed = {str(resource.uri) for resource in (await s.client.list_resources()).resources}
    assert {"test://static-text", "test://static-binary"} <= listed, listed
    assert (await s.client.read_resource("test://static-text")).contents[0].text
    binary = (await s.client.read_resource("test://static-binary")).contents[0]
    assert binary.mime_type == "image/png" and binary.blob, binary


async def template_variables_are_decoded(s: Session):
    templates = [t.uri_template for t in (await s.client.list_resource_templates()).resource_templates]
    assert "test://template/{id}/data" in templates, templates
    for written, read in {"123": "123", "a%20b": "a b", "caf%C3%A9": "café"}.items():
        contents = (await s.client.read_resource(f"test://template/{written}/data")).contents
        assert read in contents[0].text, contents


async def prompts_take_arguments(s: Session):
    assert (await s.client.get_prompt("test_simple_prompt")).messages
    both = await s.client.get_prompt("test_prompt_with_arguments", {"arg1": "hello", "arg2": "world"})
    said = both.messages[0].content.text
    assert "hello" in said and "world" in said, both


async def arguments_are_completed(s: Session):
    prompt = types.PromptReference(type="ref/prompt", name="test_prompt_with_arguments")
    completion = (await s.client.complete(prompt, {"name": "arg1", "value": "par"})).completion
    assert isinstance(completion.values, list) and len(completion.values) <= 100, completion


async def a_resource_can_be_watched(s: Session):
    uri = "test://watched-resource"
    if s.is_legacy:
        await s.client.subscribe_resource(uri)
        await s.client.unsubscribe_resource(uri)
    else:
        async with s.client.listen(resource_subscriptions=[uri]) as subscription:
            assert subscription.honored.resource_subscriptions == [uri], subscription.honored


async def a_change_of_the_tools_is_announced(s: Session):
    if s.is_legacy:
        def changed():
            return any(isinstance(m, types.ToolListChangedNotification) for m in s.heard)

        if "://" in s.target:
            await anyio.sleep(0.5)  # the client opens its stream for announcements on its own time
        await s.client.call_tool("test_trigger_tool_change")
        await until(changed)
    else:
        async with s.client.listen(tools_list_changed=True) as subscription:
            assert subscription.honored.tools_list_changed, subscription.honored
            await s.client.call_tool("test_trigger_tool_change")
            event = await anext(subscription)
            assert type(event).__name__ == "ToolsListChanged", event


async def a_cancelled_call_leaves_the_session_usable(s: Session):
    begun = anyio.current_time()
    with anyio.move_on_after(0.3) as scope:
        await s.client.call_tool("slow_compute", {"seconds": 15})
    assert scope.cancelled_caught
    result = await s.client.call_tool("test_simple_text")
    assert not result.is_error
    assert anyio.current_time() - begun < 5


async def a_question_is_answered(s: Session):
    if s.is_legacy:
        result = await s.client.call_tool("test_elicitation", {"message": "Who are you?"})
    else:
        result = await s.client.call_tool("test_input_required_result_elicitation", {})
    assert not result.is_error and "Ada" in text(result), result


EVERY = [
    the_era_is_the_one_asked_for,
    tools_have_descriptions_and_object_schemas,
    an_unknown_tool_is_invalid_params,
    an_unknown_resource_has_the_code_of_its_era,
    an_unknown_prompt_is_invalid_params,
    ping_is_answered_in_the_legacy_era,
]
BY_TOOL = {
    "add_numbers": [numbers_are_added, a_bad_argument_is_an_error_that_the_model_sees],
    "test_simple_text": [
        every_kind_of_content_arrives,
        structured_content_fits_the_schema_of_its_tool,
        a_tool_error_is_a_result,
        progress_rises_to_its_total,
        logs_arrive_while_a_tool_runs,
        static_resources_are_read,
        template_variables_are_decoded,
        prompts_take_arguments,
        arguments_are_completed,
        a_resource_can_be_watched,
        a_change_of_the_tools_is_announced,
        a_cancelled_call_leaves_the_session_usable,
    ],
    "test_elicitation": [a_question_is_answered],
}
QUICKSTART = [the_template_is_listed_and_read, the_prompt_is_listed_and_fetched]


async def checks_for(client: Client) -> list:
    names = {tool.name for tool in (await client.list_tools()).tools}
    checks = list(EVERY)
    for tool, more in BY_TOOL.items():
        checks += more if tool in names else []
    if "test_simple_text" in names:
        if "test_elicitation" not in names:
            print("note    no `test_elicitation`: questions are not checked")
        return checks
    assert "add_numbers" in names, f"neither the quickstart nor the fixture: {sorted(names)}"
    return checks + QUICKSTART


async def main(targets: list[str]) -> int:
    passed = failed = 0
    for target in targets:
        for mode in ERAS:
            where = f"python {target.rsplit('/', 1)[-1] if '://' not in target else target} {mode}"
            try:
                session = Session(target, mode)
                with anyio.fail_after(300):
                    async with session.connected() as client:
                        for check in await checks_for(client):
                            name = check.__name__.replace("_", " ")
                            try:
                                with anyio.fail_after(PATIENCE):
                                    await check(session)
                            except Exception as error:
                                failed += 1
                                print(f"FAILED  {where}: {name}: {type(error).__name__}: {error}")
                            else:
                                passed += 1
                                print(f"ok      {where}: {name}")
            except Exception as error:
                failed += 1
                print(f"FAILED  {where}: the session holds: {error!r}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(anyio.run(main, sys.argv[1:]))
