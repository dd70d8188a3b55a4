// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.netty;

import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.support.Nightly;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.testsuite.transport.socket.SocketSslClientRenegotiateTest;
import io.netty.testsuite.transport.socket.SocketSslEchoTest;
import io.netty.testsuite.transport.socket.SocketSslGreetingTest;
import io.netty.testsuite.transport.socket.SocketSslSessionReuseTest;
import io.netty.testsuite.transport.socket.SocketStartTlsTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Netty's tests of TLS. */
@RequiresKernel
@NettySuite
class NettySuiteTlsKernelIT {
    @Nested
    @Nightly // 72 variants, each with four allocators, take minutes
    class SocketSslEcho extends SocketSslEchoTest {}

    @Nested
    class SocketSslGreeting extends SocketSslGreetingTest {}

    @Nested
    class SocketSslClientRenegotiate extends SocketSslClientRenegotiateTest {}

    @Nested
    class SocketSslSessionReuse extends SocketSslSessionReuseTest {
        /** Upstream also with OpenSSL, which would need a native library. */
        @Override
        @ParameterizedTest
        @MethodSource("io.netty.testsuite.transport.socket.SocketSslSessionReuseTest#jdkOnly")
        public void testSslSessionTrustManagerResumption(
                SslContextBuilder server, SslContextBuilder client, TestInfo test) throws Throwable {
            super.testSslSessionTrustManagerResumption(server, client, test);
        }
    }

    @Nested
    class SocketStartTls extends SocketStartTlsTest {}
}
