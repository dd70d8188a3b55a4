// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.machine;

import io.github.rdma4j.testbed.image.CacheDirectory;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A private directory for the sockets between this process and a machine, removed when they are no longer needed. It
 * lies in {@code rdma4j-UID} among the temporary files, a directory that only this user can access, and a later
 * launcher removes the directories of killed launchers there. If another user has taken that name, the directory lies
 * beside it, and no leftovers are removed.
 */
public final class RuntimeDirectory implements AutoCloseable {
    private static final FileAttribute<Set<PosixFilePermission>> PRIVATE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private static final String RUN = "run-";

    /** A living owner holds a lock on this file; the kernel releases the lock when the process ends. */
    private static final String LOCK = "lock";

    private static final int STICKY = 01000;
    private static final int WRITABLE_BY_OTHERS = 0022;

    /**
     * The directories of this process. A sweep must not open their locks: the process would lose a lock when it closes
     * any descriptor of the file.
     */
    private static final Set<Path> OF_THIS_JVM = new HashSet<>();

    /** Socket addresses hold 107 bytes, which a deep temporary directory would exceed. */
    private static final int LONGEST_PARENT = 50;

    private final Path path;
    private final @Nullable FileChannel lock;

    private RuntimeDirectory(Path path, @Nullable FileChannel lock) {
        this.path = path;
        this.lock = lock;
    }

    public static RuntimeDirectory create() throws IOException {
        return createIn(parent());
    }

    private static Path parent() {
        Path configured = Path.of(System.getProperty("java.io.tmpdir"));
        return configured.toString().length() <= LONGEST_PARENT ? configured : Path.of("/tmp");
    }

    /** The message of a failure in such a directory, with advice if its file system is full. */
    public static String problem(IOException e) {
        boolean full = String.valueOf(e.getMessage()).contains("No space left on device");
        return e.getMessage()
                + (full
                        ? ": make room in " + parent()
                                + ", or name another directory in JAVA_TOOL_OPTIONS=-Djava.io.tmpdir=DIR"
                        : "");
    }

    public static RuntimeDirectory createIn(Path temporary) throws IOException {
        synchronized (OF_THIS_JVM) {
            Path own = temporary.resolve("rdma4j-" + Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
            try (FileChannel turns = FileChannel.open(
                            madeFor(temporary, own).resolve("turn"),
                            StandardOpenOption.CREATE,
                            StandardOpenOption.WRITE);
                    FileLock turn = turns.lock()) {
                sweep(own);
                return locked(own, turn);
            } catch (IOException | DirectoryIteratorException e) {
                return new RuntimeDirectory(Files.createTempDirectory(temporary, "rdma4j-", PRIVATE), null);
            }
        }
    }

    /**
     * Makes this user's directory if it does not exist; fails unless the directory and its name are this user's alone:
     * only then do the paths in it lead where they led before.
     */
    private static Path madeFor(Path temporary, Path own) throws IOException {
        try {
            Files.createDirectory(own, PRIVATE);
        } catch (FileAlreadyExistsException e) {
            // An earlier run or another user made it; the attributes show which.
            assert e.getFile() != null;
        }
        PosixFileAttributes found = Files.readAttributes(own, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        int mode = (int) Files.getAttribute(temporary, "unix:mode");
        boolean nameIsKept = (mode & STICKY) != 0 || (mode & WRITABLE_BY_OTHERS) == 0;
        if (!nameIsKept
                || !found.isDirectory()
                || !found.owner().equals(Files.getOwner(Path.of("/proc/self")))
                || !found.permissions().equals(PRIVATE.value())) {
            throw new IOException(own + " is not this user's alone");
        }
        return own;
    }

    /** Removes the directories of dead launchers. */
    private static void sweep(Path own) throws IOException {
        try (DirectoryStream<Path> runs = Files.newDirectoryStream(own, RUN + "*")) {
            for (Path run : runs) {
                if (!OF_THIS_JVM.contains(run)) {
                    removeIfDead(run);
                }
            }
        }
    }

    private static void removeIfDead(Path run) {
        try {
            if (isDead(run)) {
                CacheDirectory.deleteTree(run);
            }
        } catch (IOException e) {
            // Left to a later sweep: leftovers must not prevent the start of a guest.
            return;
        }
    }

    private static boolean isDead(Path run) throws IOException {
        try (FileChannel channel = FileChannel.open(run.resolve(LOCK), StandardOpenOption.WRITE);
                FileLock lock = channel.tryLock()) {
            return lock != null;
        } catch (NoSuchFileException e) {
            // Its owner was killed before it made the lock: only the holder of the turn makes directories.
            return true;
        }
    }

    // Other processes sweep only in their turn, so they never see the directory without its lock.
    private static RuntimeDirectory locked(Path own, FileLock turn) throws IOException {
        assert turn.isValid();
        Path path = Files.createTempDirectory(own, RUN, PRIVATE);
        FileChannel lock =
                FileChannel.open(path.resolve(LOCK), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        lock.lock();
        OF_THIS_JVM.add(path);
        return new RuntimeDirectory(path, lock);
    }

    public Path path() {
        return path;
    }

    /** A directory for locks that all guests of this user share; empty if another user has taken its name. */
    public Optional<Path> turns() {
        return lock == null ? Optional.empty() : Optional.ofNullable(path.getParent());
    }

    public Path resolve(String name) {
        return path.resolve(name);
    }

    @Override
    public void close() throws IOException {
        synchronized (OF_THIS_JVM) {
            CacheDirectory.deleteTree(path);
            OF_THIS_JVM.remove(path);
            if (lock != null) {
                lock.close();
            }
        }
    }
}
