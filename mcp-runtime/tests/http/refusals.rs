//! Requests that are refused before anybody has read their bodies: their clients hear why, however much they have to send.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use http_body_util::BodyExt as _;
use hyper::body::{Body, Bytes, Frame};
use hyper_util::rt::{TokioExecutor, TokioIo};
use serde_json::Value;
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep, timeout};

use crate::client::{PATIENCE, Request};
use crate::server::Tested;

/// What is wrong with each request: its method, path, a header, and the status that says so.
const REFUSED: [(&str, &str, (&str, &str), u16); 6] = [
    ("POST", "/mcp", ("origin", "http://evil.example"), 403),
    ("POST", "/nope", ("accept", "*/*"), 404),
    ("PUT", "/mcp", ("accept", "*/*"), 405),
    ("POST", "/healthz", ("accept", "*/*"), 405),
    ("POST", "/mcp", ("accept", "*/*"), 413),
    ("POST", "/mcp", ("content-type", "text/plain"), 415),
];

fn is_an_error(body: &[u8]) -> bool {
    serde_json::from_slice::<Value>(body).is_ok_and(|body| body["error"]["code"] == -32600)
}

#[tokio::test]
async fn a_client_that_writes_all_before_it_reads_hears_why_it_is_refused() {
    let server = Tested::start().await;
    for (method, path, (name, value), status) in REFUSED {
        let request = Request::new(method).with_body("x".repeat(20_000_000));
        let mut response = server.send(&request.path(path).header(name, value)).await;
        assert_eq!(response.status, status, "{method} {path}");
        assert!(is_an_error(response.text().await.as_bytes()), "{method} {path}");
    }
}

#[tokio::test]
async fn a_client_that_asks_first_is_refused_at_once() {
    let server = Tested::start().await;
    for (method, path, (name, value), status) in REFUSED {
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: localhost\r\n{name}: {value}\r\nexpect: 100-continue\r\ncontent-length: 20000000\r\n\r\n"
        );
        let mut connection = server.connect().await;
        connection.write(head).await;
        let mut response = connection.response().await;
        assert_eq!(response.status, status, "{method} {path}");
        assert!(is_an_error(response.text().await.as_bytes()), "{method} {path}");
    }
}

/// A long body, which begins after a while.
struct Long {
    pause: Option<Pin<Box<Sleep>>>,
    left: usize,
    is_sent: Arc<AtomicBool>,
}

impl Body for Long {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        if let Some(pause) = &mut self.pause {
            ready!(pause.as_mut().poll(context));
            self.pause = None;
        }
        if self.left == 0 {
            self.is_sent.store(true, Ordering::SeqCst);
            return Poll::Ready(None);
        }
        self.left -= 1;
        Poll::Ready(Some(Ok(Frame::data(Bytes::from(vec![b'x'; 64 * 1024])))))
    }
}

/// Not every client takes a refusal over HTTP/2 while it sends, or before: curl loses it.
#[tokio::test]
async fn over_http_2_a_refusal_comes_when_all_is_sent() {
    let server = Tested::start().await;
    let stream = TokioIo::new(TcpStream::connect(server.address).await.unwrap());
    let (client, connection) = hyper::client::conn::http2::handshake(TokioExecutor::new(), stream).await.unwrap();
    let connection = tokio::spawn(connection);
    let mut asked = Vec::new();
    for (method, path, (name, value), status) in REFUSED {
        // Nobody gives leave over HTTP/2: curl begins after a second.
        for pause in [None, Some(Duration::from_secs(1))] {
            let is_sent = Arc::new(AtomicBool::new(false));
            let body =
                Long { pause: pause.map(|pause| Box::pin(sleep(pause))), left: 100, is_sent: Arc::clone(&is_sent) };
            let mut request = http::Request::builder()
                .method(method)
                .uri(format!("http://localhost{path}"))
                .header(name, value)
                .body(body)
                .unwrap();
            if pause.is_some() {
                request.headers_mut().insert("expect", "100-continue".parse().unwrap());
            }
            let mut client = client.clone();
            asked.push(tokio::spawn(async move {
                let response = timeout(PATIENCE, client.send_request(request)).await.unwrap().unwrap();
                assert_eq!(response.status(), status, "{method} {path} {pause:?}");
                assert!(is_sent.load(Ordering::SeqCst), "{method} {path} {pause:?}: the answer came first");
                let body = response.into_body().collect().await.unwrap().to_bytes();
                assert!(is_an_error(&body), "{method} {path} {pause:?}");
            }));
        }
    }
    for asked in asked {
        asked.await.unwrap();
    }
    connection.abort();
}
