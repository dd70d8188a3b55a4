// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.libc;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.internal.fd.LinuxKernel;
import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.support.NotEmulated;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The first use of native code, in a JVM that has not used any. */
@Timeout(120)
class LoadingTest {
    private static final int EBADF = 9;

    /** What the other JVM does. */
    public static void main(String[] arguments) {
        Thread.currentThread().interrupt();
        long address = NativeMemory.address(ByteBuffer.allocateDirect(8));
        Syscalls syscalls = LinuxKernel.running().syscalls();
        int drained = syscalls.eventfdDrain(-1);
        int listened = syscalls.sockets().listen(-1, 1);
        long limit = syscalls.lockedMemoryLimit();
        System.out.println(
                address != 0 && drained == -EBADF && listened == -EBADF && limit >= 0 && Thread.interrupted());
    }

    /** A JDK of 24 or later is told to refuse what JDKs to come refuse; no JDK prints a warning. */
    @Test
    @NotEmulated
    void anInterruptedThreadMayBeTheFirst() throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                LoadingTest.class.getName()));
        if (Runtime.version().feature() >= 24) {
            command.add(1, "--sun-misc-unsafe-memory-access=deny");
            command.add(1, "--illegal-native-access=deny");
            command.add(1, "--enable-native-access=ALL-UNNAMED");
        }
        Process jvm = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(jvm.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(jvm.waitFor()).as(output).isZero();
        assertThat(output.strip()).isEqualTo("true");
    }
}
