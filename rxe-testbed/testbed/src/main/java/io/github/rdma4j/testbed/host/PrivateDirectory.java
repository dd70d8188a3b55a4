// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.host;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A directory in a world-writable directory that only this user can change. It is opened first and checked then. Files
 * are removed through the open directory, so a directory or link that another user puts at its name is not touched.
 */
public final class PrivateDirectory implements AutoCloseable {
    /** The prefix of the names of directories that are swept. */
    public static final String RUN = "run-";

    /**
     * A file in each swept directory. A living owner holds a lock on it; the kernel releases the lock when the process
     * ends.
     */
    public static final String LOCK = "lock";

    private static final Set<PosixFilePermission> MODE = PosixFilePermissions.fromString("rwx------");

    private final Path path;
    private final SecureDirectoryStream<Path> opened;

    private PrivateDirectory(Path path, SecureDirectoryStream<Path> opened) {
        this.path = path;
        this.opened = opened;
    }

    /** Makes the directory or opens it; fails if another user owns it or has access to it. */
    public static PrivateDirectory open(Path parent, String name) throws IOException {
        Path path = parent.resolve(name);
        try {
            Files.createDirectory(path, PosixFilePermissions.asFileAttribute(MODE));
        } catch (FileAlreadyExistsException e) {
            // An earlier run or another user made the directory; the check of the open directory shows which.
            assert e.getFile() != null;
        }
        return checked(path, openAt(parent, name));
    }

    private static SecureDirectoryStream<Path> openAt(Path parent, String name) throws IOException {
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(parent)) {
            if (stream instanceof SecureDirectoryStream<Path> secure) {
                return secure.newDirectoryStream(Path.of(name), LinkOption.NOFOLLOW_LINKS);
            }
            throw new IOException("no directories relative to open ones in " + parent);
        }
    }

    private static PrivateDirectory checked(Path path, SecureDirectoryStream<Path> opened) throws IOException {
        PosixFileAttributes found =
                opened.getFileAttributeView(PosixFileAttributeView.class).readAttributes();
        if (!found.owner().equals(Files.getOwner(Path.of("/proc/self")))
                || !found.permissions().equals(MODE)) {
            opened.close();
            throw new IOException(path + " is not this user's alone");
        }
        return new PrivateDirectory(path, opened);
    }

    public Path path() {
        return path;
    }

    /** Opens a file in the directory; makes a missing file. */
    public FileChannel file(String name) throws IOException {
        return channel(opened, Path.of(name), Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE));
    }

    private static FileChannel channel(
            SecureDirectoryStream<Path> directory, Path name, Set<StandardOpenOption> options) throws IOException {
        Set<OpenOption> all = new HashSet<>(options);
        all.add(LinkOption.NOFOLLOW_LINKS);
        SeekableByteChannel channel = directory.newByteChannel(name, all);
        if (channel instanceof FileChannel file) {
            return file;
        }
        channel.close();
        throw new IOException("no locks on files here");
    }

    /** Removes the {@link #RUN} directories whose owners are dead, as far as that can be done. */
    public void sweep(Set<Path> living) {
        for (Path name : names(opened)) {
            if (name.toString().startsWith(RUN) && !living.contains(path.resolve(name))) {
                removeIfPossible(name);
            }
        }
    }

    private void removeIfPossible(Path name) {
        try {
            removeIfDead(name);
        } catch (IOException e) {
            // Left to a later sweep: leftovers must not prevent the start of a guest.
            return;
        }
    }

    private static List<Path> names(SecureDirectoryStream<Path> directory) {
        List<Path> names = new ArrayList<>();
        try {
            directory.forEach(entry -> names.add(entry.getFileName()));
        } catch (DirectoryIteratorException e) {
            return List.of();
        }
        return names;
    }

    private void removeIfDead(Path name) throws IOException {
        try (SecureDirectoryStream<Path> run = opened.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
            if (isLocked(run)) {
                return;
            }
            for (Path file : names(run)) {
                delete(run, file);
            }
        }
        opened.deleteDirectory(name);
    }

    private static void delete(SecureDirectoryStream<Path> directory, Path name) throws IOException {
        boolean isDirectory = directory
                .getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .readAttributes()
                .isDirectory();
        if (!isDirectory) {
            directory.deleteFile(name);
            return;
        }
        try (SecureDirectoryStream<Path> below = directory.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
            for (Path each : names(below)) {
                delete(below, each);
            }
        }
        directory.deleteDirectory(name);
    }

    private static boolean isLocked(SecureDirectoryStream<Path> run) throws IOException {
        try (FileChannel channel = channel(run, Path.of(LOCK), Set.of(StandardOpenOption.WRITE));
                FileLock lock = channel.tryLock()) {
            return lock == null;
        } catch (NoSuchFileException e) {
            // Its owner was killed before it made the lock: only the holder of the turn makes directories.
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        opened.close();
    }
}
