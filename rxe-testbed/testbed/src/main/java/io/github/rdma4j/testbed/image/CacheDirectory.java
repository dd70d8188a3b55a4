// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.image;

import io.github.rdma4j.testbed.host.TestbedException;
import io.github.rdma4j.testbed.host.Tool;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
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
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The files that the testbed keeps between runs. Every entry is made under a lock at a temporary place and then
 * renamed, so an existing entry is complete, also after a crash.
 */
public record CacheDirectory(Path root) {
    private static final String PART = ".part";
    private static final String KEPT = ".kept";

    /** No process takes longer to make an entry. */
    private static final Duration LONGEST_MAKING = Duration.ofDays(1);

    private static final int FINGERPRINT_DIGITS = 12;

    /** The texts of ENOSPC, EROFS and EPERM. Tools print them too, in the locale that {@code Tool} sets. */
    private static final String NO_SPACE = "No space left on device";

    private static final Set<String> REFUSALS = Set.of("Read-only file system", "Operation not permitted");

    // A file lock belongs to the whole JVM; a second thread of the JVM would fail and not wait.
    private static final Object IN_THIS_JVM = new Object();

    /** Makes the content of a cache entry. */
    public interface Maker {
        void make(Path entry) throws IOException, TestbedException, InterruptedException;
    }

    /** {@code RDMA4J_CACHE}, else {@code rdma4j} in {@code XDG_CACHE_HOME} or {@code ~/.cache}. */
    public static CacheDirectory of(Map<String, String> environment) {
        String own = environment.get("RDMA4J_CACHE");
        if (own != null && !own.isEmpty()) {
            return new CacheDirectory(Path.of(own).toAbsolutePath());
        }
        String xdg = environment.get("XDG_CACHE_HOME");
        // The XDG specification demands that relative paths are ignored.
        boolean usable = xdg != null && Path.of(xdg).isAbsolute();
        Path base = usable ? Path.of(xdg) : Path.of(home(environment), ".cache");
        return new CacheDirectory(base.resolve("rdma4j"));
    }

    private static String home(Map<String, String> environment) {
        String home = environment.get("HOME");
        return home != null && !home.isEmpty() ? home : System.getProperty("user.home");
    }

    /** Checks an existing entry. */
    interface Inspector {
        /** Describes the damage of the entry; empty if the entry is valid. */
        Optional<String> damage(Path entry) throws IOException;

        /** Called before a damaged entry is made again. */
        default void replaces(Path entry, String damage) {}
    }

    /** Whether the entry exists or this user can make it. The cache may belong to another user. */
    public boolean canHold(String name) {
        return Files.exists(root.resolve(name)) || Files.isWritable(root);
    }

    /** Returns the entry; makes a missing entry. Other processes that need the entry at the same time wait. */
    public Path entry(String name, Maker maker) throws TestbedException, InterruptedException {
        return entry(name, entry -> Optional.empty(), maker);
    }

    /** As {@link #entry(String, Maker)}; removes a damaged entry and makes it again. */
    public Path entry(String name, Inspector inspector, Maker maker) throws TestbedException, InterruptedException {
        Path entry = root.resolve(name);
        // Another version of the testbed may prune now, and must see that the entry is in use.
        touch(entry);
        Optional<String> damage = damage(entry, inspector);
        if (Files.exists(entry) && damage.isEmpty()) {
            return entry;
        }
        synchronized (IN_THIS_JVM) {
            try {
                makeOnce(entry, inspector, maker);
            } catch (IOException e) {
                if (isRefused(e)) {
                    throw new TestbedException(
                            damage.map(text -> damaged(entry, text)).orElse("the cache lacks " + entry)
                                    + " and this user cannot write there (" + e.getMessage()
                                    + "): run testbed setup as its owner, or name another directory in RDMA4J_CACHE",
                            e);
                }
                throw new TestbedException("cannot make " + entry + ": " + e + advice(String.valueOf(e)), e);
            } catch (Tool.FailureException e) {
                throw new TestbedException(e.getMessage() + advice(String.valueOf(e.getMessage())), e);
            }
        }
        return entry;
    }

    // A read-only file system causes no AccessDeniedException.
    private static boolean isRefused(IOException e) {
        return e instanceof AccessDeniedException
                || (e instanceof FileSystemException system && REFUSALS.contains(String.valueOf(system.getReason())));
    }

    private String advice(String problem) {
        return problem.contains(NO_SPACE)
                ? ". There is no space left for the cache " + root
                        + ": make room, or name a directory of another file system in RDMA4J_CACHE"
                : "";
    }

    private static Optional<String> damage(Path entry, Inspector inspector) throws TestbedException {
        try {
            return Files.exists(entry) ? inspector.damage(entry) : Optional.empty();
        } catch (IOException e) {
            throw new TestbedException(damaged(entry, e.toString()) + ", remove it: rm -r '" + entry + "'", e);
        }
    }

    private static String damaged(Path entry, String damage) {
        return "the cache entry " + entry + " is damaged (" + damage + ")";
    }

    private void makeOnce(Path entry, Inspector inspector, Maker maker)
            throws IOException, TestbedException, InterruptedException {
        Files.createDirectories(root);
        try (FileChannel channel = FileChannel.open(lock(entry), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                var held = channel.lock()) {
            Optional<String> damage = damage(entry, inspector);
            if (damage.isPresent()) {
                inspector.replaces(entry, damage.get());
                deleteTree(entry);
            }
            if (held.isValid() && !Files.exists(entry)) {
                makeAndMove(entry, maker);
            }
        }
    }

    private void makeAndMove(Path entry, Maker maker) throws IOException, TestbedException, InterruptedException {
        String prefix = "." + entry.getFileName() + PART;
        removeLeftovers(prefix);
        Path temporary = temporary(prefix);
        try {
            maker.make(temporary);
            Files.move(temporary, entry, StandardCopyOption.ATOMIC_MOVE);
            deleteTree(kept(temporary));
        } finally {
            deleteTree(temporary);
        }
    }

    // A new name, because programs of a killed process may still write to the earlier name.
    private Path temporary(String prefix) {
        return root.resolve(prefix + "-" + ProcessHandle.current().pid() + "-" + System.nanoTime());
    }

    // The lock is held, so the leftovers belong to a process that has ended.
    private void removeLeftovers(String prefix) throws IOException {
        try (DirectoryStream<Path> leftovers = Files.newDirectoryStream(root, prefix + "*")) {
            for (Path leftover : leftovers) {
                deleteIfPossible(leftover);
            }
        }
    }

    /**
     * A directory beside an incomplete entry, for files that the next attempt can use if this attempt fails. It is
     * removed when the entry is complete.
     *
     * @param temporary the path that a {@link Maker} got
     */
    static Path kept(Path temporary) {
        String name = String.valueOf(temporary.getFileName());
        int end = name.indexOf(PART);
        return temporary.resolveSibling((end < 0 ? "." + name : name.substring(0, end)) + KEPT);
    }

    /**
     * Removes entries with this prefix that have not been used for some time, except the entry in use, and what killed
     * processes left of others. Errors are ignored: the cache may belong to another user, and other processes prune it
     * too.
     */
    void prune(String prefix, Path used, Duration unused) {
        Instant now = Instant.now();
        try {
            touch(used);
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(root, prefix + "*")) {
                for (Path entry : entries) {
                    FileTime lastUse = lastUse(entry);
                    if (!entry.equals(used) && lastUse.toInstant().isBefore(now.minus(unused))) {
                        discard(entry, lastUse);
                    }
                }
            }
            try (DirectoryStream<Path> halfMade =
                    Files.newDirectoryStream(root, "." + prefix + "*{" + PART + "-*," + KEPT + "}")) {
                for (Path leftover : halfMade) {
                    if (lastUse(leftover).toInstant().isBefore(now.minus(unused).minus(LONGEST_MAKING))) {
                        deleteIfPossible(leftover);
                    }
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            // A later process prunes.
            return;
        }
    }

    /** Marks the entry as used now, if it exists and belongs to this user. */
    static void touch(Path entry) {
        try {
            Files.setLastModifiedTime(entry, FileTime.from(Instant.now()));
        } catch (IOException e) {
            return;
        }
    }

    private static FileTime lastUse(Path entry) {
        try {
            return Files.getLastModifiedTime(entry);
        } catch (IOException e) {
            return FileTime.fromMillis(0);
        }
    }

    /**
     * Removes an entry as a whole, because other processes would take a part for a damaged entry; keeps an entry that
     * has been used since. Its lock stays, because another process may be about to take the lock.
     */
    void discard(Path entry, FileTime lastUse) {
        try {
            Path gone = temporary("." + entry.getFileName() + PART);
            Files.move(entry, gone, StandardCopyOption.ATOMIC_MOVE);
            try {
                if (lastUse(gone).compareTo(lastUse) > 0) {
                    Files.move(gone, entry, StandardCopyOption.ATOMIC_MOVE);
                }
            } finally {
                deleteTree(gone);
            }
        } catch (IOException e) {
            // The entry belongs to another user or no longer exists.
            return;
        }
    }

    /** A short name for a long text. */
    public static String fingerprint(String text) {
        return CacheSeal.sha256(text.getBytes(StandardCharsets.UTF_8)).substring(0, FINGERPRINT_DIGITS);
    }

    private static void deleteIfPossible(Path tree) {
        try {
            deleteTree(tree);
        } catch (IOException e) {
            // A program uses it; a later run tries again.
            return;
        }
    }

    private Path lock(Path entry) {
        return root.resolve("." + entry.getFileName() + ".lock");
    }

    /** Deletes a tree or what is left of it: another process may sweep a directory of which the lock is already deleted. */
    public static void deleteTree(Path tree) throws IOException {
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
            public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
                if (failure instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                }
                throw failure;
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
