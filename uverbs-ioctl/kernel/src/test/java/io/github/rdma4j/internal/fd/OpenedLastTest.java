// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.fd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.libc.Syscalls;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A descriptor is opened when the direct memory that goes with it is there: without that memory, none is lost. */
class OpenedLastTest {
    private final List<String> opened = new ArrayList<>();

    /** System calls of a process without direct memory for what goes with a descriptor. */
    private final Syscalls full = (Syscalls) Proxy.newProxyInstance(
            Syscalls.class.getClassLoader(), new Class<?>[] {Syscalls.class}, (proxy, method, arguments) -> {
                if (method.getName().equals("pollPair")) {
                    throw new OutOfMemoryError("direct memory");
                }
                opened.add(method.getName());
                return 3;
            });

    private LinuxKernel kernel() {
        return new LinuxKernel(full, Path.of("/sys"), Path.of("/dev"));
    }

    @Test
    void aWaitWithoutMemoryOpensNothing() {
        assertThatThrownBy(() -> WakeUp.open(kernel())).isInstanceOf(OutOfMemoryError.class);
        assertThat(opened).isEmpty();
    }

    @Test
    void anEpollWithoutMemoryOpensNothing() {
        // More events than a buffer can have room for.
        assertThatThrownBy(() -> Epoll.open(kernel(), "epoll", Integer.MAX_VALUE, ""))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(opened).isEmpty();
    }
}
