// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.image;

import io.github.rdma4j.testbed.host.TestbedException;
import io.github.rdma4j.testbed.host.Tool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the testbed keeps between runs. Every entry is made under a lock in a temporary directory beside its place and
 * renamed into it, so an entry that exists is complete, also after a crash.
 */
public record CacheDirectory(Path root) {
    private static final String PART = ".part";
    private static final int FINGERPRINT_DIGITS = 12;

    /** The texts of ENOSPC, EROFS and EPERM; tools say them too, in the locale that {@code Tool} sets. */
    private static final String NO_SPACE = "No space left on device";

    private static final Set<String> REFUSALS = Set.of("Read-only file system", "Operation not permitted");

    // A file lock is held by the whole JVM and refuses a second holder in it instead of making it wait.
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
        // The XDG specification has relative paths ignored.
        boolean usable = xdg != null && Path.of(xdg).isAbsolute();
        Path base = usable ? Path.of(xdg) : Path.of(home(environment), ".cache");
        return new CacheDirectory(base.resolve("rdma4j"));
    }

    private static String home(Map<String, String> environment) {
        String home = environment.get("HOME");
        return home != null && !home.isEmpty() ? home : System.getProperty("user.home");
    }

    /** Looks at an entry that is there. */
    interface Inspector {
        /** Describes the damage of the entry; empty if the entry is valid. */
        Optional<String> damage(Path entry) throws IOException;

        /** Called before a damaged entry is made again. */
        void replaces(Path entry, String damage);
    }

    private static final Inspector TRUSTING = new Inspector() {
        @Override
        public Optional<String> damage(Path entry) {
            return Optional.empty();
        }

        @Override
        public void replaces(Path entry, String damage) {
            throw new IllegalStateException("nothing was found wrong with " + entry);
        }
    };

    /** Whether the entry is there or could be made. The cache may be another user's. */
    public boolean canHold(String name) {
        return Files.exists(root.resolve(name)) || Files.isWritable(root);
    }

    /** Returns the entry, after having made it if it was not there. Processes that come at the same time wait. */
    public Path entry(String name, Maker maker) throws TestbedException, InterruptedException {
        return entry(name, TRUSTING, maker);
    }

    /** As {@link #entry(String, Maker)}; an entry with which something is wrong is removed and made again. */
    public Path entry(String name, Inspector inspector, Maker maker) throws TestbedException, InterruptedException {
        Path entry = root.resolve(name);
        // Another version of the testbed may prune at this moment, and must not take the entry for unused.
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

    // A file system that is mounted read-only is no AccessDeniedException.
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

    // A name of its own: what a killed process started may still write to the last one.
    private Path temporary(String prefix) {
        return root.resolve(prefix + "-" + ProcessHandle.current().pid() + "-" + System.nanoTime());
    }

    // The lock is held, so what is there is of a process that died.
    private void removeLeftovers(String prefix) throws IOException {
        try (DirectoryStream<Path> leftovers = Files.newDirectoryStream(root, prefix + "*")) {
            for (Path leftover : leftovers) {
                deleteIfPossible(leftover);
            }
        }
    }

    /**
     * A directory beside an entry in the making, for what the next attempt can use if this one fails. It goes when the
     * entry is complete.
     *
     * @param temporary what a {@link Maker} was given
     */
    static Path kept(Path temporary) {
        String name = String.valueOf(temporary.getFileName());
        int end = name.indexOf(PART);
        return temporary.resolveSibling((end < 0 ? "." + name : name.substring(0, end)) + ".kept");
    }

    /**
     * Removes the entries whose names start like this and of which nobody has made use for some time, except the one
     * that is used now. Does what it can: the cache may be another user's, and other processes prune it too.
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
        } catch (IOException | DirectoryIteratorException e) {
            // The next process that may, and comes at a quieter time, prunes.
            return;
        }
    }

    /** The entry, if it is there; it counts as used now. */
    public Optional<Path> used(String name) {
        Path entry = root.resolve(name);
        return touch(entry) || Files.isReadable(entry) ? Optional.of(entry) : Optional.empty();
    }

    /** Returns false if the entry is not there, or is another user's. */
    private static boolean touch(Path entry) {
        try {
            Files.setLastModifiedTime(entry, FileTime.from(Instant.now()));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Removes the entries whose names start like this, except the ones that were used last. Does what it can. */
    public void keepNewest(String prefix, int count) {
        try (Stream<Path> entries = Files.list(root)) {
            entries.filter(entry -> String.valueOf(entry.getFileName()).startsWith(prefix))
                    .sorted(Comparator.comparing(CacheDirectory::lastUse).reversed())
                    .skip(count)
                    .forEach(entry -> discard(entry, lastUse(entry)));
        } catch (IOException | UncheckedIOException e) {
            // The next process that may, and comes at a quieter time, does it.
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

    /** Removes an entry, if this user may. */
    public void remove(String name) {
        Path entry = root.resolve(name);
        discard(entry, lastUse(entry));
    }

    /**
     * Removes an entry as a whole, for other processes may look at it and would take a part for damaged; but not if one
     * of them has made use of it since. Its lock stays, for another process may be about to take it.
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
            // Another user's, or gone already.
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
            // Something else uses it; a later run tries again.
            return;
        }
    }

    private Path lock(Path entry) {
        return root.resolve("." + entry.getFileName() + ".lock");
    }

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
