// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.support.NotEmulated;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Programs with the Netty 4.2 that the library is compiled against, and with 4.1. */
@NotEmulated
class NettyVersionsTest {
    /** Where the build puts the jars of Netty 4.1. */
    private static final Path NETTY_4_1 = Path.of("target", "netty-4.1");

    private static String classPathWithoutNetty() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !new File(entry).getName().startsWith("netty-"))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static String run(Class<?> program, String classPath) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-cp", classPath, program.getName()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }

    @Test
    void runsWithTheNettyItIsCompiledAgainst() throws Exception {
        assertThat(run(WithNetty.class, System.getProperty("java.class.path")))
                .contains("1 leak, 0 and 0 left", "left 0 and 0, done with netty-buffer-4.2.");
    }

    @Test
    void runsWithNetty41() throws Exception {
        String classPath = classPathWithoutNetty() + File.pathSeparator + NETTY_4_1.toAbsolutePath() + "/*";
        assertThat(run(WithNetty.class, classPath))
                .contains("1 leak, 0 and 0 left", "left 0 and 0, done with netty-buffer-4.1.");
    }
}
