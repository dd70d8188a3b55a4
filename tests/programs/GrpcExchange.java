// SPDX-License-Identifier: Apache-2.0

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Random;

/** A server of gRPC sends back what a client sends, over Netty that is part of gRPC's jar, and every byte is compared. */
public final class GrpcExchange {
    private static final int[] SIZES = {1, 100, 4096, 65_537, 1 << 20, 3_000_011};
    private static final int ROUNDS = 20;

    private static final MethodDescriptor<byte[], byte[]> ECHO = MethodDescriptor.<byte[], byte[]>newBuilder()
            .setType(MethodType.UNARY)
            .setFullMethodName("Exchange/Echo")
            .setRequestMarshaller(new Bytes())
            .setResponseMarshaller(new Bytes())
            .build();

    private GrpcExchange() {}

    public static void main(String[] args) throws Exception {
        Server server = NettyServerBuilder.forAddress(new InetSocketAddress(args[0], 0))
                .addService(ServerServiceDefinition.builder("Exchange")
                        .addMethod(ECHO, ServerCalls.asyncUnaryCall((request, answer) -> {
                            answer.onNext(request);
                            answer.onCompleted();
                        }))
                        .build())
                .build()
                .start();
        ManagedChannel channel = NettyChannelBuilder.forAddress(args[0], server.getPort()).usePlaintext().build();
        long bytes = 0;
        for (int round = 0; round < ROUNDS; round++) {
            for (int size : SIZES) {
                byte[] sent = new byte[size];
                new Random(round).nextBytes(sent);
                if (!Arrays.equals(sent, ClientCalls.blockingUnaryCall(channel, ECHO, CallOptions.DEFAULT, sent))) {
                    throw new AssertionError(size + " bytes came back as others");
                }
                bytes += 2L * size;
            }
        }
        channel.shutdownNow();
        server.shutdownNow();
        System.out.println(ROUNDS * SIZES.length + " calls, " + bytes + " bytes there and back, all equal");
        System.exit(0);
    }

    private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
