// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs without Netty, with the 4.2 that the library is compiled against, and with 4.1. */
class NettyIsOptionalTest {
    /** Where the build puts the jars of Netty 4.1. */
    private static final Path NETTY_4_1 = Path.of("target", "netty-4.1");

    @TempDir
    Path directory;

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
    void runsWithoutNetty() throws Exception {
        assertThat(run(WithoutNetty.class, classPathWithoutNetty())).contains("done without Netty");
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

    /** An overload with a ByteBuf would make the compiler look for the class whatever is passed. */
    @Test
    void compilesProgramsThatHaveNoNetty() throws Exception {
        Path source = Files.writeString(directory.resolve("Program.java"), """
            import io.github.rdma4j.verbs.*;
            import io.github.rdma4j.verbs.attr.*;
            class Program {
                MemoryRegion register(ProtectionDomain pd) throws java.io.IOException {
                    java.util.Set<Access> access = java.util.EnumSet.of(Access.LOCAL_WRITE);
                    return pd.registerMr(java.nio.ByteBuffer.allocateDirect(64), access);
                }
            }
            """);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        String[] arguments = {
            "-proc:none", "-cp", classPathWithoutNetty(), "-d", directory.toString(), source.toString()
        };
        assertThat(compiler.run(null, null, null, arguments)).isZero();
    }
}
