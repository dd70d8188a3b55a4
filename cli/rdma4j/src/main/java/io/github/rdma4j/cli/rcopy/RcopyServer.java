// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.rcopy;

import io.github.rdma4j.cli.rcopy.RcopyMessage.RcopyException;
import io.github.rdma4j.kernel.Errno;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Receives files from one client. For one thread. */
final class RcopyServer implements AutoCloseable {
    private static final int CHUNK = 1 << 20;

    private static final int OWNER_READ = 0400;

    private final RcopyStream stream;
    private final @Nullable Path directory;
    private final PrintWriter out;
    private @Nullable FileChannel file;

    /** Creates a server; all files must be in {@code directory}, or may be anywhere if it is null. */
    RcopyServer(RcopyStream stream, @Nullable Path directory, PrintWriter out) {
        this.stream = stream;
        this.directory = directory;
        this.out = out;
    }

    /** Serves the client until it closes the connection or one of its commands fails. */
    void serve() throws IOException {
        for (RcopyMessage message = stream.next(); message != null; message = stream.next()) {
            try {
                handle(message);
            } catch (RcopyException refused) {
                stream.send(message.reply(refused.errno.number()));
                throw refused;
            }
            stream.send(message.reply(0));
        }
    }

    private void handle(RcopyMessage message) throws IOException {
        switch (message.command()) {
            case RcopyMessage.OPEN -> open(message);
            case RcopyMessage.WRITE -> write(message);
            case RcopyMessage.CLOSE -> close();
            default ->
                throw new RcopyException(Errno.EINVAL, "the client sent the unknown command " + message.command());
        }
    }

    private void open(RcopyMessage message) throws IOException {
        if (file != null) {
            throw new RcopyException(Errno.EBUSY, "the client opens a second file before it has closed the first");
        }
        ByteBuffer bytes = ByteBuffer.allocate(message.length() - RcopyMessage.BYTES);
        stream.fill(bytes);
        String name = StandardCharsets.UTF_8.decode(bytes).toString();
        int end = name.indexOf('\0');
        Path path = inside(end < 0 ? name : name.substring(0, end));
        out.println("opening " + path.toString().replaceAll("\\p{Cntrl}", "?"));
        Set<StandardOpenOption> options =
                EnumSet.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING);
        try {
            file = FileChannel.open(path, options, PosixFilePermissions.asFileAttribute(permissions(message.data())));
        } catch (NoSuchFileException missing) {
            throw new RcopyException(Errno.ENOENT, "cannot open " + path + ": the directory does not exist");
        } catch (AccessDeniedException denied) {
            throw new RcopyException(Errno.EACCES, "cannot open " + path + ": permission denied");
        } catch (IOException failure) {
            throw new RcopyException(Errno.EIO, "cannot open the file: " + failure.getMessage());
        }
    }

    private Path inside(String name) throws RcopyException {
        try {
            if (directory == null) {
                return Path.of(name);
            }
            Path path = directory.resolve(name).normalize();
            if (path.startsWith(directory) && !path.equals(directory)) {
                return path;
            }
            throw new RcopyException(Errno.EACCES, "the client names " + name + ", which is not in " + directory);
        } catch (InvalidPathException wrong) {
            throw new RcopyException(Errno.EINVAL, "the client names no path: " + wrong.getMessage());
        }
    }

    private static Set<PosixFilePermission> permissions(int mode) {
        StringBuilder text = new StringBuilder("rwxrwxrwx");
        for (int i = 0; i < text.length(); i++) {
            if ((mode & OWNER_READ >> i) == 0) {
                text.setCharAt(i, '-');
            }
        }
        return PosixFilePermissions.fromString(text.toString());
    }

    private void write(RcopyMessage message) throws IOException {
        FileChannel into = file;
        if (into == null) {
            throw new RcopyException(Errno.EINVAL, "the client writes before it has opened a file");
        }
        if (message.length() != RcopyMessage.WRITE_BYTES) {
            throw new RcopyException(
                    Errno.EINVAL,
                    "the client sent a write of " + message.length() + " bytes, and not of "
                            + RcopyMessage.WRITE_BYTES);
        }
        ByteBuffer size = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
        stream.fill(size);
        long bytes = size.getLong(0);
        if (bytes < 0) {
            throw new RcopyException(
                    Errno.EINVAL, "the client announced a file of " + Long.toUnsignedString(bytes) + " bytes");
        }
        into.truncate(0);
        receive(into, bytes);
        out.println("received " + bytes + " bytes");
    }

    private void receive(FileChannel into, long bytes) throws IOException {
        ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK);
        for (long left = bytes; left > 0; left -= chunk.limit()) {
            chunk.clear().limit((int) Math.min(CHUNK, left));
            stream.fill(chunk);
            try {
                while (chunk.hasRemaining()) {
                    into.write(chunk);
                }
            } catch (IOException failure) {
                throw new RcopyException(Errno.EIO, "cannot write the file: " + failure.getMessage());
            }
        }
    }

    @Override
    public void close() throws IOException {
        FileChannel opened = file;
        file = null;
        if (opened != null) {
            opened.close();
        }
    }
}
