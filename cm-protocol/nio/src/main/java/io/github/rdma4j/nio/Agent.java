// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.nio;

import io.github.rdma4j.internal.nio.Rules;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.net.URISyntaxException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarFile;
import org.jspecify.annotations.Nullable;

/**
 * {@code -javaagent:rdma4j-nio.jar[=RULES]}: the channels and the plain sockets of an unchanged program use RDMA. It changes no class.
 */
final class Agent {
    private static final String NEEDED = "io.github.rdma4j.internal.rsocket.Stream";
    private static final String PROVIDER = "java.nio.channels.spi.SelectorProvider";

    private Agent() {}

    /** Called by the JVM before the program. */
    public static void premain(@Nullable String rules, Instrumentation instrumentation) throws IOException {
        if (!isThere(NEEDED)) {
            addNeighbours(instrumentation);
        }
        if (rules != null && !rules.isEmpty()) {
            System.setProperty(Rules.PROPERTY, rules);
        }
        if (System.getProperty(PROVIDER) == null) {
            System.setProperty(PROVIDER, "io.github.rdma4j.nio.RdmaSelectorProvider");
        }
        RdmaSelectorProvider unused = RdmaSockets.install();
    }

    private static boolean isThere(String name) {
        try {
            Class.forName(name, false, ClassLoader.getSystemClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    /** A program that is started with {@code -jar} has no class path for what this jar needs: the jars beside this one. */
    private static void addNeighbours(Instrumentation instrumentation) throws IOException {
        Path folder = folder();
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(folder, "*.jar")) {
            for (Path jar : jars) {
                instrumentation.appendToSystemClassLoaderSearch(new JarFile(jar.toFile()));
            }
        }
        if (!isThere(NEEDED)) {
            throw new IllegalStateException(
                    "the agent lacks the jars that rdma4j-nio depends on, such as rdma4j-rsocket: "
                            + "they are neither on the class path nor in its folder, " + folder);
        }
    }

    private static Path folder() {
        try {
            Path jar = Path.of(Agent.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            return jar.toAbsolutePath().resolveSibling("");
        } catch (URISyntaxException e) {
            throw new AssertionError("a jar has an address", e);
        }
    }
}
