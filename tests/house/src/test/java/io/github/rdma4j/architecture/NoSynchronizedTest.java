// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The libraries use ReentrantLock throughout: before JDK 24 a virtual thread that waits inside {@code synchronized} keeps
 * its carrier. Bytecode does not show such blocks to ArchUnit, so the sources are looked at. Only classes of NIO lock
 * monitors, because the JDK's do: {@link java.nio.channels.Selector}, {@link java.net.DatagramPacket}.
 */
class NoSynchronizedTest {
    private static final Pattern KEYWORD = Pattern.compile(
            "(?m)\\bsynchronized\\s*\\(|^\\s*((public|protected|private|static|final)\\s+)*synchronized\\s");

    private static final Set<String> AS_THE_JDK = Set.of("EpollSelector.java", "UdpAdaptor.java");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "uverbs-ioctl/kernel",
                "uverbs-ioctl/verbs",
                "uverbs-ioctl/cards",
                "uverbs-ioctl/netty",
                "cm-protocol",
                "cm-protocol/rsocket",
                "cm-protocol/nio",
                "cm-protocol/netty",
                "cm-protocol/disni",
                "mcast-sm-client"
            })
    void noClassOfTheLibrariesIsSynchronized(String module) throws IOException {
        try (Stream<Path> sources = Files.walk(Path.of("..", "..", module, "src/main/java"))) {
            List<Path> java = sources.filter(path -> path.toString().endsWith(".java"))
                    .filter(path -> !AS_THE_JDK.contains(path.getFileName().toString()))
                    .toList();
            assertThat(java)
                    .hasSizeGreaterThan(5)
                    .allSatisfy(source -> assertThat(Files.readString(source))
                            .as("%s", source)
                            .doesNotContainPattern(KEYWORD));
        }
    }

    @Test
    void findsBlocksAndMethods() {
        assertThat("        synchronized (LOCK) {").containsPattern(KEYWORD);
        assertThat("    private static synchronized void count() {").containsPattern(KEYWORD);
        assertThat("            45 EL2NSYNC Level 2 not synchronized").doesNotContainPattern(KEYWORD);
    }
}
