// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.examples;

import io.github.rdma4j.netty.transport.RdmaEventLoopGroup;
import io.github.rdma4j.netty.transport.RdmaServerSocketChannel;
import io.github.rdma4j.netty.transport.RdmaSocketChannel;
import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.resolver.DefaultAddressResolverGroup;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import reactor.core.publisher.Mono;
import reactor.netty.ByteBufMono;
import reactor.netty.DisposableServer;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.server.HttpServer;
import reactor.netty.resources.LoopResources;

/** A server and a client of HTTP with Reactor Netty: as over TCP, but for the loops and the resolver of names. */
final class ReactorHttp {
    private ReactorHttp() {}

    public static void main(String[] args) {
        System.out.println(run(args[0], "Hello, Reactor"));
    }

    /** What Reactor Netty asks for to make its channels. */
    static final class RdmaLoops implements LoopResources {
        private final EventLoopGroup group = new RdmaEventLoopGroup();

        @Override
        public EventLoopGroup onServer(boolean useNative) {
            return group;
        }

        @Override
        public <C extends Channel> C onChannel(Class<C> type, EventLoopGroup loops) {
            return type.cast(
                    type == ServerSocketChannel.class ? new RdmaServerSocketChannel() : new RdmaSocketChannel());
        }

        @Override
        public <C extends Channel> Class<? extends C> onChannelClass(Class<C> type, EventLoopGroup loops) {
            return onChannel(type, loops).getClass().asSubclass(type);
        }

        @Override
        public Mono<Void> disposeLater(Duration quietPeriod, Duration timeout) {
            return Mono.create(
                    sink -> group.shutdownGracefully(quietPeriod.toMillis(), timeout.toMillis(), TimeUnit.MILLISECONDS)
                            .addListener(done -> sink.success()));
        }
    }

    /** Returns the text that came back; {@code host} is an address of an RDMA device of this machine. */
    @SuppressWarnings("NullAway") // an answer has a body
    static String run(String host, String text) {
        LoopResources loops = new RdmaLoops();
        DisposableServer server = HttpServer.create()
                .runOn(loops)
                .host(host)
                .port(0)
                .handle((request, response) -> response.send(request.receive().retain()))
                .bindNow();
        try {
            return HttpClient.create()
                    .runOn(loops)
                    .resolver(DefaultAddressResolverGroup.INSTANCE)
                    .post()
                    .uri("http://" + host + ":" + server.port() + "/")
                    .send(ByteBufMono.fromString(Mono.just(text)))
                    .responseContent()
                    .aggregate()
                    .asString()
                    .block();
        } finally {
            server.disposeNow();
            loops.disposeLater().block();
        }
    }
}
