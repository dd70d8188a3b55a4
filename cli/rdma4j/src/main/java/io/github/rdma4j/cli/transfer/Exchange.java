// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.transfer;

import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.kernel.RdmaException;
import java.io.PrintWriter;

/** A run of a program, which ends with the same lines as the C program. */
abstract class Exchange {
    private final PrintWriter out;

    Exchange(PrintWriter out) {
        this.out = out;
    }

    /**
     * Exchanges messages, closes everything, and prints the result.
     *
     * @throws RdmaException if a step fails or messages are missing
     */
    final void run() throws RdmaException, InterruptedException {
        int status = 1;
        try {
            try {
                exchange();
            } finally {
                close();
                say("test complete");
            }
            status = 0;
        } finally {
            say("return status " + status);
        }
    }

    abstract void exchange() throws RdmaException, InterruptedException;

    abstract void close() throws RdmaException;

    final void say(String line) {
        out.println(line);
    }

    /** Rejects messages of {@code size} bytes if they exceed a packet of the id's port. */
    static void requireOnePacket(CmId id, int size) throws RdmaException {
        int mtu = id.context().queryPort(id.portNumber()).activeMtu().bytes();
        if (size > mtu) {
            throw new RdmaException("a datagram is one packet: -S " + size
                    + " is more than the active MTU of the port, which is " + mtu);
        }
    }
}
