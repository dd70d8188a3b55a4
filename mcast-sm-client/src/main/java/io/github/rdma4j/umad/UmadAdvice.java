// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.umad;

import io.github.rdma4j.internal.syscall.NodeAdvice;
import io.github.rdma4j.kernel.Errno;

/** What the error numbers of a umad file mean, and what can be done. */
final class UmadAdvice {
    private UmadAdvice() {}

    static String open(Errno errno, String path) {
        String advice = NodeAdvice.forOpen(errno, path, "ib_umad");
        boolean refused = errno.equals(Errno.EACCES) || errno.equals(Errno.EPERM);
        return refused ? advice + ". Whoever may open it speaks for the port" : advice;
    }

    static String register(Errno errno) {
        if (errno.equals(Errno.ENOMEM)) {
            return "An open file has 32 agents at most: close some, or open the device again";
        }
        if (errno.equals(Errno.EINVAL)) {
            return "Another program may have registered for the same requests: for reports of subnet administration"
                    + " there is one receiver a port";
        }
        if (errno.equals(Errno.EPIPE)) {
            return "The device has gone";
        }
        if (errno.equals(Errno.ENOTTY)) {
            return "This kernel, older than 3.18, knows the old header only: HeaderLayout.OLD";
        }
        return "";
    }

    static String write(Errno errno) {
        if (errno.equals(Errno.EINVAL)) {
            return "A request with this transaction id is still under way, or the port cannot send there: on RoCE a MAD"
                    + " needs a GRH";
        }
        if (errno.equals(Errno.EIO)) {
            return "The agent is not registered any more, or the device has gone";
        }
        return errno.equals(Errno.ETIMEDOUT) ? "Nobody on the network has the GID" : "";
    }

    static String read(Errno errno) {
        return errno.equals(Errno.EIO) ? "The device has gone" : "";
    }
}
