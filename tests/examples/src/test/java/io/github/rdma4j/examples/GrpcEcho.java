// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.examples;

import io.github.rdma4j.netty.transport.RdmaEventLoopGroup;
import io.github.rdma4j.netty.transport.RdmaServerSocketChannel;
import io.github.rdma4j.netty.transport.RdmaSocketChannel;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.netty.channel.EventLoopGroup;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** A service of gRPC that sends back a text: as over TCP, but for the event loops and two classes. */
final class GrpcEcho {
    private static final MethodDescriptor<String, String> ECHO = MethodDescriptor.<String, String>newBuilder()
            .setType(MethodType.UNARY)
            .setFullMethodName("Echo/Say")
            .setRequestMarshaller(new Text())
            .setResponseMarshaller(new Text())
            .build();

    private static final ServerServiceDefinition SERVICE = ServerServiceDefinition.builder("Echo")
            .addMethod(ECHO, ServerCalls.asyncUnaryCall((request, answer) -> {
                answer.onNext(request);
                answer.onCompleted();
            }))
            .build();

    private GrpcEcho() {}

    public static void main(String[] args) throws Exception {
        System.out.println(run(args[0], "Hello, gRPC"));
    }

    /** Returns the text that came back; {@code host} is an address of an RDMA device of this machine. */
    static String run(String host, String text) throws Exception {
        EventLoopGroup group = new RdmaEventLoopGroup();
        Server server = NettyServerBuilder.forAddress(new InetSocketAddress(host, 0))
                .bossEventLoopGroup(group)
                .workerEventLoopGroup(group)
                .channelType(RdmaServerSocketChannel.class)
                .addService(SERVICE)
                .build()
                .start();
        ManagedChannel channel = NettyChannelBuilder.forAddress(host, server.getPort())
                .eventLoopGroup(group)
                .channelType(RdmaSocketChannel.class)
                .usePlaintext()
                .build();
        try {
            return ClientCalls.blockingUnaryCall(channel, ECHO, CallOptions.DEFAULT, text);
        } finally {
            channel.shutdown().awaitTermination(10, TimeUnit.SECONDS);
            server.shutdown().awaitTermination(10, TimeUnit.SECONDS);
            group.shutdownGracefully(0, 10, TimeUnit.SECONDS).sync();
        }
    }

    private static final class Text implements MethodDescriptor.Marshaller<String> {
        @Override
        public InputStream stream(String value) {
            return new ByteArrayInputStream(value.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public String parse(InputStream stream) {
            try {
                return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
