// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import io.github.rdma4j.internal.libc.SocketCalls;
import java.net.BindException;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.UnsupportedAddressTypeException;
import java.nio.charset.Charset;
import java.nio.file.FileSystems;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;

/** {@code struct sockaddr_un}. */
final class UnixAddresses {
    /** That of a socket that is not bound. */
    static final UnixDomainSocketAddress UNNAMED = UnixDomainSocketAddress.of("");

    /** The size of the struct. */
    static final int MAX_BYTES = 110;

    private static final int PATH = 2;

    /** As long as a path may be: the kernel wants a zero behind it. */
    private static final int MOST = MAX_BYTES - PATH - 1;

    private static final Charset CHARSET = charset();

    private UnixAddresses() {}

    /** The character set of file names. */
    private static Charset charset() {
        String name = System.getProperty("sun.jnu.encoding");
        return name != null && Charset.isSupported(name) ? Charset.forName(name) : Charset.defaultCharset();
    }

    static UnixDomainSocketAddress check(SocketAddress address) {
        Objects.requireNonNull(address);
        if (!(address instanceof UnixDomainSocketAddress unix)) {
            throw new UnsupportedAddressTypeException();
        }
        return unix;
    }

    static boolean isUnnamed(SocketAddress address) {
        return address instanceof UnixDomainSocketAddress unix
                && unix.getPath().toString().isEmpty();
    }

    /** Refuses a path that is no socket's. */
    static void checkPath(SocketAddress address) throws SocketException {
        Path path = check(address).getPath();
        if (path.getFileSystem() != FileSystems.getDefault()) {
            throw new SocketException("the path of a socket must be one of the default file system");
        }
        if (path.toString().getBytes(CHARSET).length > MOST) {
            throw new SocketException("Unix domain path too long");
        }
    }

    static int encode(SocketAddress address, ByteBuffer out) {
        byte[] path = check(address).getPath().toString().getBytes(CHARSET);
        out.putShort(0, (short) SocketCalls.AF_UNIX);
        out.put(PATH, path);
        out.put(PATH + path.length, (byte) 0);
        return PATH + path.length + (path.length == 0 ? 0 : 1);
    }

    static UnixDomainSocketAddress decode(ByteBuffer in, int length) {
        int end = PATH;
        while (end < length && in.get(end) != 0) {
            end++;
        }
        if (end == PATH) {
            return UNNAMED;
        }
        byte[] path = new byte[end - PATH];
        in.get(PATH, path);
        return UnixDomainSocketAddress.of(new String(path, CHARSET));
    }

    /** A name in the folder for temporary files that hardly exists. */
    static UnixDomainSocketAddress temporary() throws BindException {
        String folder = System.getProperty("jdk.net.unixdomain.tmpdir", System.getProperty("java.io.tmpdir"));
        int number = ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE);
        try {
            return UnixDomainSocketAddress.of(Path.of(folder, "socket_" + number));
        } catch (InvalidPathException e) {
            throw new BindException("Invalid temporary directory");
        }
    }
}
