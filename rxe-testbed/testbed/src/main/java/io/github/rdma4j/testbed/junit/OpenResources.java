// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit;

import io.github.rdma4j.testbed.host.TestbedException;
import io.github.rdma4j.testbed.host.Tool;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The resources of the kernel that this JVM has open: RDMA objects, from rdma-resource(8), and descriptors.
 *
 * @param objects a name such as {@code rxe0/1 lqpn 17}, and the line of {@code rdma} about the object
 * @param descriptors the number and the file of each descriptor
 */
record OpenResources(Map<String, String> objects, Map<String, String> descriptors) {
    /** The kernel ends objects after the call that closes them returns. */
    private static final Duration GRACE = Duration.ofSeconds(2);

    private static final Duration PAUSE = Duration.ofMillis(50);
    private static final List<String> TYPES = List.of("cm_id", "qp", "cq", "mr", "pd", "srq");
    private static final Pattern PID = Pattern.compile(" pid (\\d+)\\b");
    private static final Pattern NAME =
            Pattern.compile("(\\S+) (?:\\S+ )*?((?:lqpn|cqn|cm-idn|mrn|pdn|srqn) \\d+)\\b.*");

    static OpenResources now() throws IOException, TestbedException, InterruptedException {
        // With the first channel, the JDK makes a socket and keeps it.
        SocketChannel.open().close();
        Map<String, String> descriptors = openDescriptors();
        Map<String, String> objects = new LinkedHashMap<>();
        for (String type : TYPES) {
            Tool.run("rdma", "resource", "show", type)
                    .lines()
                    .filter(OpenResources::isObjectOfTests)
                    .forEach(line -> objects.put(name(type, line), type + ": " + line.strip()));
        }
        return new OpenResources(objects, descriptors);
    }

    /**
     * Whether this process made the object. The kernel names the thread that made the object, without a number if the
     * thread has ended.
     */
    private static boolean isObjectOfTests(String line) {
        Matcher number = PID.matcher(line);
        boolean own = !number.find() || Files.exists(Path.of("/proc/self/task/" + number.group(1)));
        return own && !line.contains(" comm [");
    }

    private static String name(String type, String line) {
        Matcher matcher = NAME.matcher(line.strip());
        return type + " " + (matcher.matches() ? matcher.group(1) + " " + matcher.group(2) : line);
    }

    private static Map<String, String> openDescriptors() throws IOException {
        Map<String, String> descriptors = new TreeMap<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (Path entry : entries) {
                try {
                    String target = Files.readSymbolicLink(entry).toString();
                    if (isDescriptorOfTests(target)) {
                        descriptors.put(entry.getFileName() + " " + target, "descriptor: " + target);
                    }
                } catch (NoSuchFileException e) {
                    // The descriptor of the directory stream, or a descriptor that another thread has closed.
                }
            }
        }
        return descriptors;
    }

    /** Excludes descriptors with which the JVM loads classes, and eventfds that libraries keep for the next wait. */
    private static boolean isDescriptorOfTests(String target) {
        return !target.endsWith(".jar")
                && !target.endsWith("/lib/modules")
                && !target.startsWith("/proc/")
                && !target.startsWith("/dev/urandom")
                && !target.startsWith("/dev/random")
                && !target.equals("anon_inode:[eventfd]");
    }

    /** The resources that are open now and were not open before, by name; waits up to 2 s for the kernel. */
    static Map<String, String> leftSince(OpenResources before)
            throws IOException, TestbedException, InterruptedException {
        long deadline = System.nanoTime() + GRACE.toNanos();
        Map<String, String> left = now().without(before);
        while (!left.isEmpty() && System.nanoTime() < deadline) {
            Thread.sleep(PAUSE.toMillis());
            left = now().without(before);
        }
        return left;
    }

    /** The resources that only this snapshot has, by name. */
    Map<String, String> without(OpenResources before) {
        Map<String, String> left = new LinkedHashMap<>(objects);
        left.putAll(descriptors);
        left.keySet().removeAll(before.objects.keySet());
        left.keySet().removeAll(before.descriptors.keySet());
        return left;
    }

    /** Looks for leaks after each test of a class, and names the tests when the class has ended. */
    static final class LeakSearch {
        private final OpenResources before = OpenResources.now();

        /** The leaks since the beginning of the class, and the test after which each leak was first seen. */
        private final Map<String, String> firstSeen = new LinkedHashMap<>();

        LeakSearch() throws IOException, TestbedException, InterruptedException {}

        /** Call this method after a test. The class may still close what is open. */
        synchronized void look(String test) throws IOException, TestbedException, InterruptedException {
            Map<String, String> open = OpenResources.now().without(before);
            firstSeen.keySet().retainAll(open.keySet());
            open.keySet().forEach(name -> firstSeen.putIfAbsent(name, "first seen after " + test));
        }

        /**
         * Call this method after the class, or after the only test.
         *
         * @throws AssertionError if something was left open
         */
        void end(String whole) throws IOException, TestbedException, InterruptedException {
            Map<String, String> left = OpenResources.leftSince(before);
            if (!left.isEmpty()) {
                StringBuilder text = new StringBuilder(whole).append(" left open:");
                left.forEach((name, line) -> text.append("\n  ")
                        .append(line)
                        .append(" (")
                        .append(firstSeen.getOrDefault(name, "not there after any test"))
                        .append(')'));
                throw new AssertionError(text.toString());
            }
        }
    }
}
