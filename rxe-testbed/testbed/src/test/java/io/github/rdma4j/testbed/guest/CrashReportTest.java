// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.guest;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

class CrashReportTest {
    private static final String REPORT = """
            #
            # A fatal error has been detected by the Java Runtime Environment:
            #
            #  SIGSEGV (0xb) at pc=0x00007f3b216d3b8c, pid=321, tid=322
            #
            # JRE version: OpenJDK Runtime Environment (17.0.15+6)
            # Problematic frame:
            # V  [libjvm.so+0xed3b8c]  Unsafe_GetInt+0x12c
            #
            # If you would like to submit a bug report, please visit:
            #   https://bugs.debian.org/openjdk-17
            #

            ---------------  S U M M A R Y ------------

            Command Line: -Dsecret=1

            ---------------  T H R E A D  ---------------

            Current thread (0x00007f3b1c018020):  JavaThread "main"

            Native frames: (j=interpreted)
            j  Sample.main([Ljava/lang/String;)V+24

            siginfo: si_signo: 11 (SIGSEGV), si_addr: 0x8

            Registers:
            RAX=0x0000000000000000
            """;

    @Test
    void saysTheSignalAndTheFrames() throws Exception {
        CrashReport report = CrashReport.keep(REPORT.getBytes(StandardCharsets.ISO_8859_1), "hs_err_pid321.log");
        try {
            assertThat(report.path()).hasContent(REPORT);
            assertThat(report).hasToString("""
                            the report of the JVM that crashed is %s:
                              | #  SIGSEGV (0xb) at pc=0x00007f3b216d3b8c, pid=321, tid=322
                              | # Problematic frame:
                              | # V  [libjvm.so+0xed3b8c]  Unsafe_GetInt+0x12c
                              | Current thread (0x00007f3b1c018020):  JavaThread "main"
                              | Native frames: (j=interpreted)
                              | j  Sample.main([Ljava/lang/String;)V+24
                              | siginfo: si_signo: 11 (SIGSEGV), si_addr: 0x8""".formatted(report.path()));
        } finally {
            Files.delete(report.path());
        }
    }
}
