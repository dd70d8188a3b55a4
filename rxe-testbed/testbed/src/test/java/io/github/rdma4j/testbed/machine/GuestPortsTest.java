// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.machine;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GuestPortsTest {
    @Test
    void nothingListensWhenOneOfThemCannot(@TempDir Path run) throws IOException {
        Files.createDirectories(run.resolve("stdout").resolve("taken"));
        assertThatThrownBy(() -> new GuestMachine.Ports(run)).isInstanceOf(DirectoryNotEmptyException.class);
        assertThatThrownBy(() -> SocketChannel.open(UnixDomainSocketAddress.of(run.resolve("control"))))
                .isInstanceOf(ConnectException.class);
    }
}
