// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.umad;

import io.github.rdma4j.internal.fd.NodeAdvice;
import io.github.rdma4j.kernel.Errno;

/** Explains the error numbers of a umad file, and gives advice. */
final class UmadAdvice {
    private UmadAdvice() {}

    static String open(Errno errno, String path) {
        String advice = NodeAdvice.forOpen(errno, path, "ib_umad");
        boolean refused = errno.equals(Errno.EACCES) || errno.equals(Errno.EPERM);
        return refused ? advice + ". A program that can open it can send management datagrams for the port" : advice;
    }

    static String register(Errno errno) {
        if (errno.equals(Errno.ENOMEM)) {
            return "An open file can have 32 agents: close some, or open the device again";
        }
        if (errno.equals(Errno.EINVAL)) {
            return "Another program may have registered for the same requests: only one receiver a port can get the"
                    + " reports of subnet administration";
        }
        if (errno.equals(Errno.EPIPE)) {
            return "The device has gone";
        }
        if (errno.equals(Errno.ENOTTY)) {
            return "This kernel, older than 3.18, has only the old header: use HeaderLayout.OLD";
        }
        return "";
    }

    static String write(Errno errno) {
        if (errno.equals(Errno.EINVAL)) {
            return "A request with this transaction id is outstanding, or the port cannot send there: on RoCE a MAD"
                    + " needs a GRH";
        }
        if (errno.equals(Errno.EIO)) {
            return "The agent is no longer registered, or the device has gone";
        }
        return errno.equals(Errno.ETIMEDOUT) ? "No port on the network has the GID" : "";
    }

    static String read(Errno errno) {
        return errno.equals(Errno.EIO) ? "The device has gone" : "";
    }
}
