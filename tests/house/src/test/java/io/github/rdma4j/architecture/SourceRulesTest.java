// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules for the sources of the libraries that bytecode does not show. */
class SourceRulesTest {
    private static final Path ROOT = Path.of("..", "..");
    private static final Pattern WITHOUT_ERRORS = Pattern.compile(
            "catch \\((RdmaException|ErrnoException) \\| RuntimeException (\\| InterruptedException )?(\\w+)\\) \\{[^}]*throw \\3;");
    private static final Pattern PREPARED = Pattern.compile("\\bCreation<[^;(){}>]*> \\w+ =");
    private static final Path VERBS = ROOT.resolve("uverbs-ioctl/verbs/src/main/java/io/github/rdma4j/verbs");
    private static final Pattern SYNCHRONIZED = Pattern.compile(
            "(?m)\\bsynchronized\\s*\\(|^\\s*((public|protected|private|static|final)\\s+)*synchronized\\s");
    private static final Set<String> AS_THE_JDK = Set.of("EpollSelector.java", "UdpAdaptor.java");

    /** The names of the sources in which the pattern is found. */
    private static List<String> with(Pattern pattern, Path folder) throws IOException {
        List<Path> sources;
        try (Stream<Path> files = Files.walk(folder)) {
            sources = files.filter(path -> path.toString().endsWith(".java")).toList();
        }
        assertThat(sources).hasSizeGreaterThan(5);
        List<String> found = new ArrayList<>();
        for (Path source : sources) {
            if (pattern.matcher(Files.readString(source)).find()) {
                found.add(source.getFileName().toString());
            }
        }
        return found;
    }

    /**
     * What undoes a creation because a later step failed also does so after an Error: a catch that lists exceptions only, undoes, and
     * throws again, loses the object of the kernel then.
     */
    @ParameterizedTest
    @ValueSource(strings = {"uverbs-ioctl/kernel", "uverbs-ioctl/verbs", "cm-protocol"})
    void undoesAfterErrorsToo(String module) throws IOException {
        assertThat(with(WITHOUT_ERRORS, ROOT.resolve(module).resolve("src/main/java")))
                .isEmpty();
    }

    /**
     * What a provider has prepared (memory that the kernel knows, a number) is abandoned by {@code Creating}, so nobody else holds it
     * while other steps may fail. A change of a completion queue's size holds it across two steps that cannot, and a context prepares
     * nothing.
     */
    @Test
    void whatWasPreparedIsHeldByWhoAbandonsIt() throws IOException {
        assertThat(with(PREPARED, VERBS))
                .containsExactlyInAnyOrder("CompletionQueue.java", "Creating.java", "DeviceContext.java");
        assertThat(Files.readString(VERBS.resolve("CompletionQueue.java")))
                .containsPattern(
                        "change = ring\\.resize\\(asked\\);\\s+loss = [^;]*;[^\\n]*\\s+Created.Cq granted;\\s+try \\{\\s+"
                                + "granted = Creating\\.create\\(change, command\\);");
    }

    /**
     * The libraries use ReentrantLock throughout: before JDK 24 a virtual thread that waits inside {@code synchronized} keeps
     * its carrier. Only classes of NIO lock monitors, because the JDK's do: {@link java.nio.channels.Selector}, {@link
     * java.net.DatagramPacket}.
     */
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
        assertThat(with(SYNCHRONIZED, ROOT.resolve(module).resolve("src/main/java")))
                .isSubsetOf(AS_THE_JDK);
    }

    @Test
    void findsWhatItLooksFor() {
        assertThat("} catch (RdmaException | RuntimeException e) { release(); throw e; }")
                .containsPattern(WITHOUT_ERRORS);
        assertThat("} catch (RdmaException | RuntimeException | Error e) { throw e; }")
                .doesNotContainPattern(WITHOUT_ERRORS);
        assertThat("        synchronized (LOCK) {").containsPattern(SYNCHRONIZED);
        assertThat("    private static synchronized void count() {").containsPattern(SYNCHRONIZED);
        assertThat("            45 EL2NSYNC Level 2 not synchronized").doesNotContainPattern(SYNCHRONIZED);
    }
}
