//! A ttrpc server of the Rust library's asynchronous kind, on tokio with a thread for each CPU.
//!
//!     ttrpc-rust-server SOCKET
//!
//! Debian has no generator for its services: the handler is written as the generator writes it.

mod messages {
    include!(concat!(env!("OUT_DIR"), "/mod.rs"));
}

use messages::bench::Payload;
use protobuf::{CodedInputStream, CodedOutputStream, Message};
use std::collections::HashMap;
use std::os::unix::io::IntoRawFd;
use std::os::unix::net::UnixListener;
use ttrpc::r#async::{convert_response_to_buf, MethodHandler, Server, TtrpcContext};

struct Echo;

fn echo(request: &ttrpc::Request) -> Result<ttrpc::Response, protobuf::ProtobufError> {
    let mut message = Payload::new();
    message.merge_from(&mut CodedInputStream::from_bytes(&request.payload))?;
    let mut response = ttrpc::Response::new();
    response.set_status(ttrpc::get_status(ttrpc::Code::OK, String::new()));
    response.payload.reserve(message.compute_size() as usize);
    let mut output = CodedOutputStream::vec(&mut response.payload);
    message.write_to(&mut output)?;
    output.flush()?;
    drop(output);
    Ok(response)
}

#[async_trait::async_trait]
impl MethodHandler for Echo {
    async fn handler(&self, context: TtrpcContext, request: ttrpc::Request) -> ttrpc::Result<(u32, Vec<u8>)> {
        let response = echo(&request).map_err(|error| ttrpc::Error::Others(error.to_string()))?;
        Ok((context.mh.stream_id, convert_response_to_buf(response)?))
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("ttrpc-rust-server SOCKET")?;
    let descriptor = UnixListener::bind(path)?.into_raw_fd();
    // std listens with a backlog of 128: a thousand connections at once need more.
    if unsafe { libc::listen(descriptor, 4096) } != 0 {
        return Err(std::io::Error::last_os_error().into());
    }
    let mut methods: HashMap<String, Box<dyn MethodHandler + Send + Sync>> = HashMap::new();
    methods.insert("/bench.Bench/Echo".to_string(), Box::new(Echo));
    let mut server = Server::new().add_listener(descriptor)?.set_domain_unix().register_service(methods);
    server.start().await?;
    std::future::pending::<()>().await;
    Ok(())
}
