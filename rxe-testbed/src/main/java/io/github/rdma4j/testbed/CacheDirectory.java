// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the testbed keeps between runs. Every entry is made under a lock in a temporary directory beside its place and
 * renamed into it, so an entry that exists is complete, also after a crash.
 */
record CacheDirectory(Path root) {
    // A file lock is held by the whole JVM and refuses a second holder in it instead of making it wait.
    private static final Object IN_THIS_JVM = new Object();

    /** Makes the content of a cache entry. */
    interface Maker {
        void make(Path entry) throws IOException, TestbedException, InterruptedException;
    }

    /** {@code RDMA4J_CACHE}, else {@code rdma4j} in {@code XDG_CACHE_HOME} or {@code ~/.cache}. */
    static CacheDirectory of(Map<String, String> environment) {
        String own = environment.get("RDMA4J_CACHE");
        if (own != null && !own.isEmpty()) {
            return new CacheDirectory(Path.of(own).toAbsolutePath());
        }
        String xdg = environment.get("XDG_CACHE_HOME");
        // The XDG specification has relative paths ignored.
        boolean usable = xdg != null && Path.of(xdg).isAbsolute();
        Path base = usable ? Path.of(xdg) : Path.of(home(environment), ".cache");
        return new CacheDirectory(base.resolve("rdma4j"));
    }

    private static String home(Map<String, String> environment) {
        String home = environment.get("HOME");
        return home != null && !home.isEmpty() ? home : System.getProperty("user.home");
    }

    /** Returns the entry, after having made it if it was not there. Processes that come at the same time wait. */
    Path entry(String name, Maker maker) throws TestbedException, InterruptedException {
        Path entry = root.resolve(name);
        if (Files.exists(entry)) {
            return entry;
        }
        synchronized (IN_THIS_JVM) {
            makeOnce(entry, maker);
        }
        return entry;
    }

    private void makeOnce(Path entry, Maker maker) throws TestbedException, InterruptedException {
        try {
            Files.createDirectories(parent(entry));
            try (FileChannel channel =
                            FileChannel.open(lock(entry), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    var held = channel.lock()) {
                if (held.isValid() && !Files.exists(entry)) {
                    makeAndMove(entry, maker);
                }
            }
        } catch (IOException e) {
            throw new TestbedException("cannot make " + entry + ": " + e, e);
        }
    }

    private void makeAndMove(Path entry, Maker maker) throws IOException, TestbedException, InterruptedException {
        Path temporary = parent(entry).resolve("." + entry.getFileName() + ".part");
        // We hold the lock, so a leftover is of a process that died.
        deleteTree(temporary);
        try {
            maker.make(temporary);
            Files.move(temporary, entry, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            deleteTree(temporary);
        }
    }

    /**
     * Removes the entries whose names start like this and of which nobody has made use for some time, except the one that is
     * used now.
     */
    void prune(String prefix, Path used, Duration unused) throws IOException {
        Instant now = Instant.now();
        Files.setLastModifiedTime(used, FileTime.from(now));
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(root, prefix + "*")) {
            for (Path entry : entries) {
                if (!entry.equals(used)
                        && Files.getLastModifiedTime(entry).toInstant().isBefore(now.minus(unused))) {
                    deleteTree(entry);
                    Files.deleteIfExists(lock(entry));
                }
            }
        } catch (NoSuchFileException e) {
            // Another process removed the same entry first.
            return;
        }
    }

    private static Path lock(Path entry) {
        return parent(entry).resolve("." + entry.getFileName() + ".lock");
    }

    private static Path parent(Path entry) {
        Path parent = entry.getParent();
        if (parent == null) {
            throw new IllegalArgumentException("no parent: " + entry);
        }
        return parent;
    }

    static void deleteTree(Path tree) throws IOException {
        if (!Files.exists(tree, java.nio.file.LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        Files.walkFileTree(tree, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
                    throws IOException {
                if (failure != null) {
                    throw failure;
                }
                Files.deleteIfExists(directory);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
