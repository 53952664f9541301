//! Bare hyper: every body is a message, every answer JSON (an event stream when there is more than one message).

use std::convert::Infallible;
use std::io;

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;

use crate::answer::answer;

pub async fn serve(addr: &str) -> io::Result<()> {
    let listener = TcpListener::bind(addr).await?;
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service_fn(respond)));
    }
}

async fn respond(request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Infallible> {
    let Ok(body) = request.into_body().collect().await else {
        return Ok(with_status(400));
    };
    let mut out = Vec::new();
    match answer(&body.to_bytes(), &mut out) {
        Err(_) => Ok(with_status(400)),
        Ok(()) if out.is_empty() => Ok(with_status(202)),
        Ok(()) => {
            let is_stream = out[..out.len() - 1].contains(&b'\n');
            let (kind, body) = if is_stream { ("text/event-stream", events(&out)) } else { ("application/json", out) };
            let mut response = Response::new(Full::new(body.into()));
            response.headers_mut().insert("content-type", hyper::header::HeaderValue::from_static(kind));
            Ok(response)
        }
    }
}

fn events(lines: &[u8]) -> Vec<u8> {
    lines.split_inclusive(|byte| *byte == b'\n').flat_map(|line| [b"data: ", line, b"\n"].concat()).collect()
}

fn with_status(status: u16) -> Response<Full<Bytes>> {
    let mut response = Response::default();
    *response.status_mut() = hyper::StatusCode::from_u16(status).unwrap_or_default();
    response
}
