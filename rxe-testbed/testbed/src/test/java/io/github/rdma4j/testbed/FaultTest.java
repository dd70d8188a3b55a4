// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class FaultTest {
    private final AtomicInteger remedies = new AtomicInteger();

    @Test
    void isTakenBackOnce() throws Exception {
        Fault fault = new Fault("loss", remedies::incrementAndGet);

        fault.close();
        fault.close();

        assertThat(remedies).hasValue(1);
    }

    @Test
    void isTakenBackInAThreadThatHasBeenInterrupted() throws Exception {
        Fault fault = new Fault("loss", () -> {
            Thread.sleep(1);
            remedies.incrementAndGet();
        });
        Thread.currentThread().interrupt();

        fault.close();

        assertThat(Thread.interrupted()).as("the thread stays interrupted").isTrue();
        assertThat(remedies).hasValue(1);
    }

    @Test
    void canBeClosedAgainAfterItsRemedyFailed() throws Exception {
        Fault fault = new Fault("loss", () -> {
            switch (remedies.incrementAndGet()) {
                case 1 -> throw new IOException("the kernel refuses");
                case 2 -> throw new InterruptedException();
                default -> {}
            }
        });

        assertThatThrownBy(fault::close).isInstanceOf(IOException.class).hasMessage("the kernel refuses");
        assertThatThrownBy(fault::close)
                .isInstanceOf(InterruptedIOException.class)
                .hasMessageContaining("loss");
        assertThat(Thread.interrupted()).isTrue();
        fault.close();
        fault.close();

        assertThat(remedies).hasValue(3);
    }
}
