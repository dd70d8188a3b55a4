// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The files of this machine that a JVM in a container needs, at the same paths. */
final class MountPlan {
    private static final String JAVA_AGENT = "-javaagent:";

    private MountPlan() {}

    /**
     * The working directory, the class path, the JDK and the agents.
     *
     * @param mounted the paths that the container has already
     */
    static Set<Path> of(JvmCommand command, Collection<String> mounted) {
        Set<Path> wanted = new TreeSet<>();
        wanted.add(Path.of("").toAbsolutePath());
        // bin/java
        wanted.add(command.java().resolve("../..").normalize());
        Stream.of(command.classPath().split(File.pathSeparator)).map(Path::of).forEach(wanted::add);
        command.options().stream()
                .filter(option -> option.startsWith(JAVA_AGENT))
                .map(option -> Path.of(option.substring(JAVA_AGENT.length()).split("=", 2)[0]))
                .forEach(agent -> wanted.add(agent.toAbsolutePath()));
        List<Path> present = mounted.stream().map(Path::of).toList();
        return withoutNested(wanted, present);
    }

    /** Removes paths below another path of the plan, and paths that do not exist. */
    static Set<Path> withoutNested(Set<Path> wanted, Collection<Path> present) {
        Set<Path> plan = new TreeSet<>();
        for (Path path : wanted) {
            boolean nested = Stream.concat(wanted.stream(), present.stream())
                    .anyMatch(other -> path.startsWith(other)
                            && (!path.equals(other) || present.contains(other))
                            && other.getNameCount() > 0);
            if (!nested && path.getNameCount() > 0 && Files.exists(path)) {
                plan.add(path);
            }
        }
        return plan;
    }

    /** The directories of this machine that the tests can change. */
    static Stream<Path> shares() {
        String shares = System.getenv().getOrDefault("RDMA4J_TESTBED_SHARE", "");
        return Stream.of(shares.split(File.pathSeparator))
                .filter(share -> !share.isEmpty())
                .map(share -> Path.of(share).toAbsolutePath());
    }
}
