// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.examples;

import io.github.rdma4j.netty.transport.RdmaEventLoopGroup;
import io.github.rdma4j.netty.transport.RdmaServerSocketChannel;
import io.github.rdma4j.netty.transport.RdmaSocketChannel;
import io.lettuce.core.ConnectionBuilder;
import io.lettuce.core.ConnectionEvents;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.redis.ArrayRedisMessage;
import io.netty.handler.codec.redis.ErrorRedisMessage;
import io.netty.handler.codec.redis.FullBulkStringRedisMessage;
import io.netty.handler.codec.redis.RedisArrayAggregator;
import io.netty.handler.codec.redis.RedisBulkStringAggregator;
import io.netty.handler.codec.redis.RedisDecoder;
import io.netty.handler.codec.redis.RedisEncoder;
import io.netty.handler.codec.redis.RedisMessage;
import io.netty.handler.codec.redis.SimpleStringRedisMessage;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import reactor.core.publisher.Mono;

/** Sets and gets a key with Lettuce; a server with Netty stands in for a Redis that speaks RDMA. */
final class LettuceGet {
    private LettuceGet() {}

    public static void main(String[] args) throws Exception {
        System.out.println(run(args[0], "Hello, Lettuce"));
    }

    /** Lettuce knows the channels of Netty only: this client puts those over RDMA in their place. */
    static final class RdmaRedisClient extends RedisClient {
        private final EventLoopGroup group;

        RdmaRedisClient(EventLoopGroup group, RedisURI server) {
            super(null, server); // with resources of its own
            this.group = group;
        }

        @Override
        protected void connectionBuilder(
                Mono<SocketAddress> address, ConnectionBuilder builder, ConnectionEvents events, RedisURI server) {
            super.connectionBuilder(address, builder, events, server);
            builder.bootstrap(new Bootstrap().group(group).channel(RdmaSocketChannel.class));
        }
    }

    /** Returns the value that came back; {@code host} is an address of an RDMA device of this machine. */
    static String run(String host, String text) throws Exception {
        EventLoopGroup group = new RdmaEventLoopGroup();
        InetSocketAddress server = (InetSocketAddress) new ServerBootstrap()
                .group(group)
                .channel(RdmaServerSocketChannel.class)
                .childHandler(new Redis())
                .bind(host, 0)
                .sync()
                .channel()
                .localAddress();
        try (RedisClient client = new RdmaRedisClient(group, RedisURI.create(host, server.getPort()))) {
            RedisCommands<String, String> redis = client.connect().sync();
            redis.set("greeting", text);
            return redis.get("greeting");
        } finally {
            group.shutdownGracefully(0, 10, TimeUnit.SECONDS).sync();
        }
    }

    /** Just enough of a Redis. */
    private static final class Redis extends ChannelInitializer<Channel> {
        @Override
        protected void initChannel(Channel channel) {
            channel.pipeline()
                    .addLast(new RedisDecoder(), new RedisBulkStringAggregator(), new RedisArrayAggregator(16, 1))
                    .addLast(new RedisEncoder(), new Commands());
        }
    }

    private static final class Commands extends SimpleChannelInboundHandler<ArrayRedisMessage> {
        private final Map<String, String> values = new HashMap<>();

        @Override
        @SuppressWarnings("FutureReturnValueIgnored") // a client without an answer notices
        protected void channelRead0(ChannelHandlerContext context, ArrayRedisMessage command) {
            context.writeAndFlush(
                    switch (word(command, 0)) {
                        case "SET" -> {
                            values.put(word(command, 1), word(command, 2));
                            yield new SimpleStringRedisMessage("OK");
                        }
                        case "GET" -> value(values.getOrDefault(word(command, 1), ""));
                        case "PING" -> new SimpleStringRedisMessage("PONG");
                        default -> new ErrorRedisMessage("ERR unknown command");
                    });
        }

        private static RedisMessage value(String text) {
            return new FullBulkStringRedisMessage(Unpooled.copiedBuffer(text, StandardCharsets.UTF_8));
        }

        private static String word(ArrayRedisMessage command, int place) {
            RedisMessage word = command.children().get(place);
            return ((FullBulkStringRedisMessage) word).content().toString(StandardCharsets.UTF_8);
        }
    }
}
