// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * JaCoCo's agent. The JVM in the guest has the agent with the same options, but sends its counts on request, and they
 * are appended to this JVM's file.
 */
final class Coverage {
    private static final String DEFAULT_FILE = "jacoco.exec";

    private Coverage() {}

    private static Optional<String> agent(List<String> arguments) {
        return arguments.stream()
                .filter(argument -> argument.startsWith("-javaagent:") && argument.split("=", 2)[0].contains("jacoco"))
                .findFirst();
    }

    private static List<String> settings(String agent) {
        String[] parts = agent.split("=", 2);
        return parts.length == 1 ? List.of() : List.of(parts[1].split(","));
    }

    /** The option with which the JVM in the guest loads the agent; empty if this JVM has no such agent. */
    static Optional<String> agentOption(List<String> arguments) {
        return agent(arguments).map(agent -> {
            Stream<String> kept = settings(agent).stream()
                    .filter(setting -> !setting.startsWith("destfile=")
                            && !setting.startsWith("append=")
                            && !setting.startsWith("output="));
            return agent.split("=", 2)[0] + "="
                    + Stream.concat(kept, Stream.of("output=none")).collect(Collectors.joining(","));
        });
    }

    /** Appends counts of the guest to the file to which this JVM's agent appends at its end. */
    static void append(byte[] counts) {
        agent(ManagementFactory.getRuntimeMXBean().getInputArguments()).ifPresent(agent -> {
            String file = settings(agent).stream()
                    .filter(setting -> setting.startsWith("destfile="))
                    .map(setting -> setting.substring("destfile=".length()))
                    .findFirst()
                    .orElse(DEFAULT_FILE);
            append(Path.of(file).toAbsolutePath(), counts);
        });
    }

    // The lock on a file belongs to the whole JVM.
    private static synchronized void append(Path file, byte[] counts) {
        try {
            Files.createDirectories(Objects.requireNonNull(file.getParent()));
            // Several JVMs append to one file, each under the lock that JaCoCo takes too. Closing the channel releases
            // the lock.
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
                channel.lock();
                Channels.newOutputStream(channel).write(counts);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot append the guest's coverage to " + file, e);
        }
    }
}
