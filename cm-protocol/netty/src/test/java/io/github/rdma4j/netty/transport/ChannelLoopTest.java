// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.netty.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.fd.Epoll;
import io.github.rdma4j.kernel.Kernel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ChannelLoopTest {
    @Test
    void anEpollThatTakesNoWakeUpLeavesNoDescriptor() throws Exception {
        Epoll refusing = Epoll.open(Kernel.running());
        refusing.close();
        long before = eventfds();
        assertThatThrownBy(() -> ChannelLoop.wakeUp(refusing)).isInstanceOf(IllegalStateException.class);
        assertThat(eventfds()).isEqualTo(before);
    }

    private static long eventfds() throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.filter(ChannelLoopTest::isEventfd).count();
        }
    }

    private static boolean isEventfd(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString().contains("eventfd");
        } catch (IOException gone) {
            return false; // that of the listing itself
        }
    }
}
