//! The server as a service: in axum, in bare hyper over HTTP/2, without any network.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use http_body_util::{BodyExt as _, Full};
use hyper::body::Bytes;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::service::TowerToHyperService;
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};
use tower_service::Service as _;

use crate::client::{Connection, Request};
use crate::server::{Tested, User, definition, text};

/// Say where the request went.
#[mcp_runtime::tool]
fn address(#[from_context] parts: http::request::Parts) -> String {
    format!("{} {}", parts.method, parts.uri.path_and_query().unwrap())
}

/// A request without a network.
fn request(method: &str, params: Value) -> http::Request<Full<Bytes>> {
    let params = {
        let mut params = params;
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        params
    };
    let name = params["name"].as_str().unwrap_or_default().to_owned();
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string();
    http::Request::post("http://localhost/mcp")
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", method)
        .header("mcp-name", name)
        .body(Full::new(Bytes::from(body)))
        .unwrap()
}

async fn json(response: http::Response<mcp_runtime::HttpBody>) -> Value {
    serde_json::from_slice(&response.into_body().collect().await.unwrap().to_bytes()).unwrap()
}

#[tokio::test]
async fn a_request_reaches_a_tool_without_any_network() {
    let mut service = definition().http_service().unwrap();
    let response =
        service.call(request("tools/call", json!({"name": "add", "arguments": {"a": 1, "b": 2}}))).await.unwrap();
    assert_eq!(text(&json(response).await), "3");
}

#[tokio::test]
async fn what_an_outer_layer_found_out_reaches_a_tool() {
    let mut service = definition().http_service().unwrap();
    let mut known = request("tools/call", json!({"name": "whoami"}));
    known.extensions_mut().insert(User("ada".to_owned()));
    assert_eq!(text(&json(service.call(known).await.unwrap()).await), "ada");
    let unknown = json(service.call(request("tools/call", json!({"name": "whoami"}))).await.unwrap()).await;
    assert_eq!(unknown["result"]["isError"], true);
    let mut at = request("tools/call", json!({"name": "address"}));
    *at.uri_mut() = "http://localhost/tenants/blue?x=1".parse().unwrap();
    assert_eq!(text(&json(service.call(at).await.unwrap()).await), "POST /tenants/blue?x=1");
    let mut headed = request("tools/call", json!({"name": "header", "arguments": {"name": "x-tenant"}}));
    headed.headers_mut().insert("x-tenant", "blue".parse().unwrap());
    assert_eq!(text(&json(service.call(headed).await.unwrap()).await), "blue");
}

#[tokio::test]
async fn it_is_nested_in_axum() {
    let service = definition().http_service().unwrap();
    let identify =
        axum::middleware::from_fn(|mut request: axum::extract::Request, next: axum::middleware::Next| async move {
            request.extensions_mut().insert(User("layered".to_owned()));
            next.run(request).await
        });
    let app = axum::Router::new().nest_service("/api/mcp", service.clone()).layer(identify).fallback_service(service);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let task = tokio::spawn(async { axum::serve(listener, app).await });
    for path in ["/api/mcp", "/anything"] {
        let call = Request::call("add", json!({"a": 1, "b": 2})).path(path);
        assert_eq!(text(&Connection::open(address).await.send(&call).await.json().await), "3", "{path}");
    }
    let call = Request::call("whoami", json!({})).path("/api/mcp");
    assert_eq!(text(&Connection::open(address).await.send(&call).await.json().await), "layered");
    task.abort();
}

#[tokio::test]
async fn it_is_served_by_bare_hyper_and_speaks_http_2() {
    let service = TowerToHyperService::new(definition().http_service().unwrap());
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let task = tokio::spawn(async move {
        let (stream, _) = listener.accept().await.unwrap();
        let builder = hyper_util::server::conn::auto::Builder::new(TokioExecutor::new());
        drop(builder.serve_connection(TokioIo::new(stream), service).await);
    });
    let stream = TokioIo::new(TcpStream::connect(address).await.unwrap());
    let (mut client, connection) = hyper::client::conn::http2::handshake(TokioExecutor::new(), stream).await.unwrap();
    let connection = tokio::spawn(connection);
    let response = client
        .send_request(request("tools/call", json!({"name": "add", "arguments": {"a": 1, "b": 2}})))
        .await
        .unwrap();
    let body = response.into_body().collect().await.unwrap().to_bytes();
    assert_eq!(text(&serde_json::from_slice(&body).unwrap()), "3");
    connection.abort();
    task.abort();
}

#[tokio::test]
async fn http_2_without_tls_is_served_and_its_authority_checked() {
    let server = Tested::start().await;
    let stream = TokioIo::new(TcpStream::connect(server.address).await.unwrap());
    let (mut client, connection) = hyper::client::conn::http2::handshake(TokioExecutor::new(), stream).await.unwrap();
    let connection = tokio::spawn(connection);
    let good = request("tools/call", json!({"name": "add", "arguments": {"a": 1, "b": 2}}));
    assert_eq!(client.send_request(good).await.unwrap().status(), 200);
    let mut evil = request("tools/call", json!({"name": "add"}));
    *evil.uri_mut() = "http://evil.example/mcp".parse().unwrap();
    assert_eq!(client.send_request(evil).await.unwrap().status(), 403);
    connection.abort();
}

#[tokio::test]
async fn start_hooks_run_once_before_the_first_answer_and_a_failed_one_is_said() {
    let started = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&started);
    let server = definition().on_start(async move {
        count.fetch_add(1, Ordering::SeqCst);
        Ok(())
    });
    let mut service = server.http_service().unwrap();
    for _ in 0..3 {
        assert_eq!(service.clone().call(request("server/discover", json!({}))).await.unwrap().status(), 200);
        assert_eq!(started.load(Ordering::SeqCst), 1);
    }
    service = definition().on_start(async { Err(mcp_runtime::Error::msg("no database")) }).http_service().unwrap();
    assert_eq!(service.call(request("server/discover", json!({}))).await.unwrap().status(), 503);
}
