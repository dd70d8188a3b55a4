// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import java.net.ConnectException;
import java.net.SocketException;
import org.junit.jupiter.api.Test;

class SocketErrorsTest {
    /** Pools show the message of an exception, and not always its cause. */
    @Test
    void aConnectThatFailsOnThisSideSaysWhatToDo() {
        ErrnoException cause =
                new ErrnoException("REG_MR of 131136 bytes", Errno.ENOMEM, "raise it (ulimit -l unlimited)");
        assertThat(SocketErrors.plainConnect(cause))
                .isExactlyInstanceOf(SocketException.class)
                .hasMessageContaining("ENOMEM")
                .hasMessageContaining("ulimit -l unlimited")
                .hasCause(cause);
    }

    @Test
    void aRefusedConnectHasTheWordsOfTheCLibrary() {
        ConnectException cause = new ConnectException("Connection refused: the listener's backlog is full");
        assertThat(SocketErrors.plainConnect(cause))
                .isExactlyInstanceOf(ConnectException.class)
                .hasMessage("Connection refused")
                .hasCause(cause);
    }
}
