// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.OtherNetty;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.netty.transport.RdmaEventLoopGroup;
import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.support.Program;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.util.Version;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Channels with the oldest releases of Netty that are tested. */
@RequiresKernel
@SuppressWarnings("FutureReturnValueIgnored") // a write that fails closes the channel
class NettyVersionsKernelIT {
    /** The other process: sends bytes to itself. */
    static final class RoundTrip {
        private static final int BYTES = 300_000;

        private RoundTrip() {}

        public static void main(String[] none) throws Exception {
            System.out.println(run(Loops.overRdma(1)));
        }

        /** The version of Netty that this process has. */
        static String run(EventLoopGroup group) throws Exception {
            byte[] sent = Ends.pattern(BYTES, 3);
            Recorder recorder = new Recorder();
            try (Ends ends = new Ends(group)) {
                Channel client = Ends.connected(ends.client(recorder), Ends.bound(ends.server(Echo::new)));
                client.writeAndFlush(Unpooled.wrappedBuffer(sent));
                assertThat(recorder.bytes(BYTES)).isEqualTo(sent);
            }
            Version version = Objects.requireNonNull(
                    Version.identify(EventLoopGroup.class.getClassLoader()).get("netty-transport"));
            return "echo with " + version.artifactVersion();
        }
    }

    @Nightly
    @ParameterizedTest
    @CsvSource({"netty-4.1-oldest, 4.1.112.Final", "netty-4.2-oldest, 4.2.0.Final"})
    void theOldestNettyCarriesAnEcho(String jars, String version) throws Exception {
        try (Program program = Program.start(OtherNetty.java(jars, RoundTrip.class))) {
            assertThat(program.success()).contains("echo with " + version);
        }
    }

    @Test
    void loopsOfOurOwnWorkWithThisNettyToo() throws Exception {
        assertThat(RoundTrip.run(new RdmaEventLoopGroup(1))).startsWith("echo with 4.2.");
    }
}
