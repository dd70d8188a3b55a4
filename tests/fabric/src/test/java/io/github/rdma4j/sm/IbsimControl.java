// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import io.github.rdma4j.support.Await;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The control messages between a client and ibsim: one request, one reply, of the same form and always as long.
 *
 * <pre>{@code
 *  0  magic 0xdeadbeef
 *  4  index of the client, known from the reply to the first message
 *  8  type; 0 in a reply: refused
 * 12  how much of the data counts
 * 16  data, 64 bytes
 * }</pre>
 */
final class IbsimControl implements AutoCloseable {
    private static final int MAGIC = 0xdead_beef;
    private static final int INDEX = 4;
    private static final int TYPE = 8;
    private static final int LENGTH = 12;
    private static final int DATA = 16;
    private static final int DATA_BYTES = 64;
    private static final int BYTES = DATA + DATA_BYTES;

    private static final int CONNECT = 1;
    private static final int DISCONNECT = 2;
    private static final int GET_NODEINFO = 7;
    private static final int GET_PORTINFO = 8;
    private static final int GET_PKEYS = 10;

    private static final int CONNECT_REQUESTS = 8;
    private static final int CONNECT_NODE = 12;
    private static final int CONNECT_BYTES = 44;
    private static final long PAUSE_NANOS = 10_000_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final DatagramSocket socket;
    private int index;

    IbsimControl(InetSocketAddress server) throws IOException {
        socket = new DatagramSocket();
        socket.connect(server);
        socket.setSoTimeout((int) Await.LIMIT.toMillis());
    }

    /**
     * Becomes a client.
     *
     * @param dataPort the UDP port that MADs are to be sent to
     * @param adapter where to attach
     * @param requests whether requests of others are to be delivered
     * @return the number of the server's data port, from 0
     */
    int connect(int dataPort, String adapter, boolean requests) throws IOException {
        ByteBuffer data = ByteBuffer.allocate(CONNECT_BYTES).order(ByteOrder.nativeOrder());
        data.putInt(0, dataPort);
        data.putInt(CONNECT_REQUESTS, requests ? 1 : 0);
        data.put(CONNECT_NODE, adapter.getBytes(StandardCharsets.US_ASCII));
        index = firstAnswer(data).order(ByteOrder.nativeOrder()).getInt(0);
        return index;
    }

    /** The simulator may print its prompt before its port is open, and says nothing when the port is. */
    private ByteBuffer firstAnswer(ByteBuffer data) throws IOException {
        long end = System.nanoTime() + Await.LIMIT.toNanos();
        while (true) {
            try {
                return ask(CONNECT, data);
            } catch (PortUnreachableException notYet) {
                if (System.nanoTime() - end > 0) {
                    throw notYet;
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    /** The PortInfo attribute of the attached port, as it is now. */
    ByteBuffer portInfo() throws IOException {
        return ask(GET_PORTINFO, ByteBuffer.allocate(1));
    }

    ByteBuffer nodeInfo() throws IOException {
        return ask(GET_NODEINFO, ByteBuffer.allocate(0));
    }

    /** The 32 partition keys of the attached port. */
    ByteBuffer pkeys() throws IOException {
        return ask(GET_PKEYS, ByteBuffer.allocate(1));
    }

    private ByteBuffer ask(int type, ByteBuffer data) throws IOException {
        lock.lock();
        try {
            ByteBuffer message = ByteBuffer.allocate(BYTES).order(ByteOrder.nativeOrder());
            message.putInt(0, MAGIC).putInt(INDEX, index).putInt(TYPE, type).putInt(LENGTH, data.limit());
            message.put(DATA, data, 0, data.limit());
            socket.send(new DatagramPacket(message.array(), BYTES));
            socket.receive(new DatagramPacket(message.array(), BYTES));
            if (message.getInt(TYPE) != type) {
                throw new IOException("ibsim refuses the control message of type " + type);
            }
            return message.slice(DATA, DATA_BYTES).order(ByteOrder.BIG_ENDIAN);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        try {
            ask(DISCONNECT, ByteBuffer.allocate(0));
        } catch (IOException e) {
            // The simulator is gone, and with it the client that it knew.
        }
        socket.close();
    }
}
