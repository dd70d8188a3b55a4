// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.Nightly;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.DefaultFileRegion;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.handler.codec.http2.Http2StreamChannelBootstrap;
import io.netty.handler.codec.http2.Http2StreamFrame;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.File;
import java.net.SocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The protocols that most programs with Netty speak, over RDMA. */
@SuppressWarnings("FutureReturnValueIgnored") // a write that fails closes the channel
@RequiresKernel
class NettyProtocolsKernelIT {
    private static final int LARGEST = 1 << 20;

    @AutoClose
    private final Ends ends = new Ends();

    /** What the client has received, each message as its bytes. */
    private final BlockingQueue<byte[]> answers = new LinkedBlockingQueue<>();

    private byte[] answer() throws InterruptedException {
        byte[] answer = answers.poll(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
        if (answer == null) {
            throw new AssertionError("no answer");
        }
        return answer;
    }

    private static ChannelInitializer<Channel> handlers(ChannelHandler... all) {
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                channel.pipeline().addLast(all);
            }
        };
    }

    private SocketAddress serve(Supplier<ChannelHandler> handler) throws InterruptedException {
        return Ends.bound(ends.server(handler)).localAddress();
    }

    // HTTP/1.

    private static final class HttpEcho extends SimpleChannelInboundHandler<FullHttpRequest> {
        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
            DefaultFullHttpResponse response = new DefaultFullHttpResponse(
                    HttpVersion.HTTP_1_1,
                    HttpResponseStatus.OK,
                    request.content().retain());
            response.headers()
                    .setInt(HttpHeaderNames.CONTENT_LENGTH, request.content().readableBytes());
            context.writeAndFlush(response);
        }
    }

    private final class HttpAnswers extends SimpleChannelInboundHandler<FullHttpResponse> {
        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpResponse response) {
            answers.add(ByteBufUtil.getBytes(response.content()));
        }
    }

    private void exchangeOverHttp(@Nullable SslContext server, @Nullable SslContext client) throws Exception {
        SocketAddress at = serve(() -> new ChannelInitializer<Channel>() {
            @Override
            protected void initChannel(Channel channel) {
                if (server != null) {
                    channel.pipeline().addLast(server.newHandler(channel.alloc()));
                }
                channel.pipeline().addLast(new HttpServerCodec(), new HttpObjectAggregator(LARGEST), new HttpEcho());
            }
        });
        Channel connection = Ends.connected(
                ends.client(handlers(new HttpClientCodec(), new HttpObjectAggregator(LARGEST), new HttpAnswers())), at);
        if (client != null) {
            SslHandler tls = client.newHandler(connection.alloc());
            connection.pipeline().addFirst(tls);
            tls.handshakeFuture().sync();
        }
        for (int i = 0; i < 10; i++) {
            byte[] body = Ends.pattern(i * 10_000, i);
            DefaultFullHttpRequest request = new DefaultFullHttpRequest(
                    HttpVersion.HTTP_1_1, HttpMethod.POST, "/echo", Unpooled.wrappedBuffer(body));
            request.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, body.length);
            connection.writeAndFlush(request);
            assertThat(answer()).isEqualTo(body);
        }
    }

    @Test
    void requestsAndAnswersOfHttp1() throws Exception {
        exchangeOverHttp(null, null);
    }

    @Nightly
    @Test
    void requestsAndAnswersOfHttp1OverTls() throws Exception {
        X509Bundle certificate = new CertificateBuilder()
                .subject("CN=rdma.test")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
        exchangeOverHttp(
                SslContextBuilder.forServer(certificate.getKeyPair().getPrivate(), certificate.getCertificatePath())
                        .build(),
                SslContextBuilder.forClient()
                        .trustManager(InsecureTrustManagerFactory.INSTANCE)
                        .build());
    }

    // HTTP/2.

    private static final class Http2Echo extends SimpleChannelInboundHandler<Http2StreamFrame> {
        @Override
        protected void channelRead0(ChannelHandlerContext context, Http2StreamFrame frame) {
            if (frame instanceof Http2HeadersFrame) {
                context.write(new DefaultHttp2HeadersFrame(new DefaultHttp2Headers().status("200")));
            } else if (frame instanceof Http2DataFrame data) {
                context.writeAndFlush(
                        new DefaultHttp2DataFrame(data.content().retain(), data.isEndStream(), data.padding()));
            }
        }
    }

    private final class Http2Answers extends SimpleChannelInboundHandler<Http2StreamFrame> {
        private final ByteBuf body = Unpooled.buffer();

        @Override
        protected void channelRead0(ChannelHandlerContext context, Http2StreamFrame frame) {
            if (frame instanceof Http2DataFrame data) {
                body.writeBytes(data.content());
                if (data.isEndStream()) {
                    answers.add(ByteBufUtil.getBytes(body));
                }
            }
        }
    }

    @Test
    void streamsOfHttp2() throws Exception {
        SocketAddress at = serve(() -> handlers(
                Http2FrameCodecBuilder.forServer().build(), new Http2MultiplexHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel stream) {
                        stream.pipeline().addLast(new Http2Echo());
                    }
                })));
        Channel connection = Ends.connected(
                ends.client(
                        handlers(Http2FrameCodecBuilder.forClient().build(), new Http2MultiplexHandler(handlers()))),
                at);
        List<byte[]> sent = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            byte[] body = Ends.pattern(1 + i * 5000, i);
            sent.add(body);
            Http2StreamChannel stream = new Http2StreamChannelBootstrap(connection)
                    .handler(new Http2Answers())
                    .open()
                    .sync()
                    .getNow();
            stream.write(new DefaultHttp2HeadersFrame(
                    new DefaultHttp2Headers().method("POST").path("/echo").scheme("http")));
            stream.writeAndFlush(new DefaultHttp2DataFrame(Unpooled.wrappedBuffer(body), true));
        }
        List<byte[]> got = new ArrayList<>();
        for (int i = 0; i < sent.size(); i++) {
            got.add(answer());
        }
        assertThat(got).hasSameSizeAs(sent).allMatch(body -> sent.stream().anyMatch(one -> Arrays.equals(one, body)));
        assertThat(got.stream().mapToInt(body -> body.length)).doesNotHaveDuplicates();
    }

    // Files.

    @Test
    void partOfAFile(@TempDir Path folder) throws Exception {
        byte[] content = Ends.pattern(1_000_000, 3);
        File file = Files.write(folder.resolve("content"), content).toFile();
        Recorder recorder = new Recorder();
        SocketAddress at = serve(() -> recorder);
        Channel client = Ends.connected(ends.client(new Recorder()), at);
        client.write(Unpooled.wrappedBuffer(content, 0, 1000));
        client.write(new DefaultFileRegion(file, 1000, content.length - 2000));
        client.writeAndFlush(Unpooled.wrappedBuffer(content, content.length - 1000, 1000))
                .sync();
        assertThat(recorder.bytes(content.length)).isEqualTo(content);
    }
}
