// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.syscall;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.support.NotEmulated;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
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
        int result = LinuxKernel.running().syscalls().eventfdDrain(-1);
        System.out.println(address != 0 && result == -EBADF && Thread.interrupted());
    }

    @Test
    @NotEmulated
    void anInterruptedThreadMayBeTheFirst() throws Exception {
        Process jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        LoadingTest.class.getName())
                .redirectErrorStream(true)
                .start();
        String output = new String(jvm.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(jvm.waitFor()).as(output).isZero();
        assertThat(output.strip()).endsWith("true");
    }
}
