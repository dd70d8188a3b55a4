// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.cm.loop.CmEventLoop;
import io.github.rdma4j.internal.fd.LinuxKernel;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.support.Await;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StreamSetupTest {
    @TempDir
    private Path root;

    /** A kernel whose connection manager is a pipe that says nothing. */
    private Kernel silentKernel() throws Exception {
        Path described = Files.createDirectories(root.resolve("class/misc/rdma_cm"));
        Files.writeString(described.resolve("dev"), "10:58\n");
        Files.writeString(described.resolve("abi_version"), "4\n");
        Path node = Files.createDirectory(root.resolve("infiniband")).resolve("rdma_cm");
        assertThat(new ProcessBuilder("mkfifo", node.toString()).start().waitFor())
                .isZero();
        return new LinuxKernel(LinuxKernel.running().syscalls(), root, root);
    }

    @Test
    void aConnectThatCannotStartDoesNotKeepTheEventLoop() throws Exception {
        StreamSettings usual = StreamSettings.defaults();
        StreamSettings settings = new StreamSettings(
                silentKernel(),
                usual.receiveBytes(),
                usual.sendBytes(),
                usual.queues(),
                0,
                new StreamSettings.Times(Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO),
                null);
        StreamService service = StreamService.of(settings.kernel());
        CmEventLoop loop = service.use();
        InetSocketAddress peer = new InetSocketAddress("10.77.0.1", 7471);
        assertThatThrownBy(() -> StreamSetup.connect(peer, settings)) // for want of a time limit
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(loop.isClosed()).isFalse();
        service.endUse();
        assertThat(Await.holds(Await.LIMIT, loop::isClosed)).isTrue();
    }
}
