// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import io.github.rdma4j.internal.fd.LinuxKernel;
import io.github.rdma4j.internal.libc.SocketCalls;
import io.github.rdma4j.internal.libc.Syscalls;
import java.io.IOException;
import java.nio.channels.Channel;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The socket that the process was started with as its standard input, as inetd(8) and systemd do. */
final class Inherited {
    private static final int STANDARD_INPUT = 0;
    private static final int STANDARD_ERROR = 2;
    private static final ReentrantLock LOCK = new ReentrantLock();
    private static boolean asked;
    private static volatile @Nullable Channel channel;

    private Inherited() {}

    /** Makes the channel. */
    @FunctionalInterface
    interface Opening {
        /** Returns the channel of a socket of a type of the kernel, or null if there is no such channel. */
        @Nullable
        Channel of(TcpSocket socket, int type) throws IOException;
    }

    /** The channel, the same each time; null if the standard input is no socket. */
    static @Nullable Channel channel(Opening opening) throws IOException {
        LOCK.lock();
        try {
            if (!asked) {
                channel = open(opening);
                asked = true;
            }
            return channel;
        } finally {
            LOCK.unlock();
        }
    }

    private static @Nullable Channel open(Opening opening) throws IOException {
        Syscalls syscalls = LinuxKernel.running().syscalls();
        // The streams of System go on with a number of their own.
        int number = syscalls.sockets().duplicate(STANDARD_INPUT);
        if (number < 0) {
            return null;
        }
        SocketFamily family = SocketFamily.ofDomain(option(syscalls, number, SocketCalls.SO_DOMAIN));
        if (family == null || syscalls.setNonBlocking(number) < 0) {
            int unused = syscalls.close(number);
            return null;
        }
        return opening.of(TcpSocket.adopt(number, family), option(syscalls, number, SocketCalls.SO_TYPE));
    }

    /** An option of a descriptor that need not be a socket; below zero if it is none. */
    private static int option(Syscalls syscalls, int number, int name) {
        Block block = Block.take();
        try {
            block.room().putInt(Integer.BYTES, Integer.BYTES);
            int result = syscalls.sockets()
                    .getOption(
                            number,
                            SocketCalls.SOL_SOCKET,
                            name,
                            block.roomAddress(),
                            block.roomAddress() + Integer.BYTES);
            return result < 0 ? result : block.room().getInt(0);
        } finally {
            block.giveBack();
        }
    }

    /** The channel is closed: what the streams of System read and write no longer keeps the connection. */
    static void detachStreams(Channel closed) {
        if (closed != channel) {
            return;
        }
        Syscalls syscalls = LinuxKernel.running().syscalls();
        int nothing = syscalls.open("/dev/null", Syscalls.O_RDWR);
        for (int number = STANDARD_INPUT; nothing >= 0 && number <= STANDARD_ERROR; number++) {
            int unused = syscalls.sockets().duplicateTo(nothing, number);
        }
        int unused = nothing < 0 ? 0 : syscalls.close(nothing);
    }
}
