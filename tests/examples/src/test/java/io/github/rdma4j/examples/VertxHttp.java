// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.examples;

import io.github.rdma4j.netty.transport.RdmaIoHandler;
import io.github.rdma4j.netty.transport.RdmaServerSocketChannel;
import io.github.rdma4j.netty.transport.RdmaSocketChannel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.InternetProtocolFamily;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.spi.transport.Transport;

/** A server and a client of HTTP with Vert.x: as over TCP, but for the transport. */
final class VertxHttp {
    private VertxHttp() {}

    public static void main(String[] args) throws Exception {
        System.out.println(run(args[0], "Hello, Vert.x"));
    }

    /** What Vert.x asks for to make its event loops and channels. */
    static final class RdmaTransport implements Transport, io.vertx.core.transport.Transport {
        @Override
        public IoHandlerFactory ioHandlerFactory() {
            return RdmaIoHandler.newFactory();
        }

        @Override
        public ChannelFactory<RdmaSocketChannel> channelFactory(boolean domainSocket) {
            return RdmaSocketChannel::new;
        }

        @Override
        public ChannelFactory<RdmaServerSocketChannel> serverChannelFactory(boolean domainSocket) {
            return RdmaServerSocketChannel::new;
        }

        @Override
        public DatagramChannel datagramChannel() {
            throw new UnsupportedOperationException("no datagrams over RDMA");
        }

        @Override
        @SuppressWarnings("deprecation") // as Vert.x declares it
        public DatagramChannel datagramChannel(InternetProtocolFamily family) {
            return datagramChannel();
        }

        @Override
        public String name() {
            return "rdma";
        }

        @Override
        public boolean available() {
            return true;
        }

        @Override
        @SuppressWarnings("NullAway") // as Vert.x declares it
        public Throwable unavailabilityCause() {
            return null;
        }

        @Override
        public Transport implementation() {
            return this;
        }
    }

    /** Returns the text that came back; {@code host} is an address of an RDMA device of this machine. */
    static String run(String host, String text) throws Exception {
        System.setProperty("vertx.disableDnsResolver", "true"); // Vert.x's own resolver needs datagrams
        Vertx vertx = Vertx.builder().withTransport(new RdmaTransport()).build();
        try {
            HttpServer server = vertx.createHttpServer()
                    .requestHandler(request ->
                            request.body().onSuccess(body -> request.response().end(body)))
                    .listen(0, host)
                    .await();
            HttpClient client = vertx.createHttpClient();
            Buffer answer = client.request(HttpMethod.POST, server.actualPort(), host, "/")
                    .compose(request -> request.send(text))
                    .compose(HttpClientResponse::body)
                    .await();
            client.close().await();
            return answer.toString();
        } finally {
            vertx.close().await();
        }
    }
}
