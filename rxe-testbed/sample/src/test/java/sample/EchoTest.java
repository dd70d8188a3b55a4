// SPDX-License-Identifier: Apache-2.0
package sample;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.rdma4j.testbed.junit.SoftRoce;
import io.github.rdma4j.testbed.junit.SoftRoceDevice;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs in a guest with a soft-RoCE device. */
@SoftRoce
class EchoTest {
    private static long echo(long number, SoftRoceDevice device) throws Exception {
        var executor = Executors.newSingleThreadExecutor();
        try (EchoServer server = EchoServer.listen(device.address().getHostAddress(), "0")) {
            Callable<Void> serving = () -> {
                server.serveOne();
                return null;
            };
            Future<Void> served = executor.submit(serving);
            long echo = EchoClient.call(server.address(), number);
            served.get();
            return echo;
        } finally {
            executor.shutdown();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 42, Long.MIN_VALUE})
    void whatIsSentComesBack(long number, SoftRoceDevice device) throws Exception {
        assertEquals(number, echo(number, device));
    }

    /** Fails on purpose, to show what a failure in a guest looks like: {@code mvn test -Dsample.fail=true}. */
    @Test
    @EnabledIfSystemProperty(named = "sample.fail", matches = "true")
    void failsOnPurpose(SoftRoceDevice device) throws Exception {
        assertEquals(43, echo(42, device));
    }
}
