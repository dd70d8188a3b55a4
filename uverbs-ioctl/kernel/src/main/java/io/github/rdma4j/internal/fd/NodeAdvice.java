// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.fd;

import io.github.rdma4j.kernel.Errno;

/** What to do when a device node cannot be opened, or there is no descriptor left. */
public final class NodeAdvice {
    private NodeAdvice() {}

    /** A sentence on what to do, or an empty text when the error number says nothing of descriptors. */
    public static String forDescriptors(Errno errno) {
        if (errno.equals(Errno.EMFILE)) {
            return "ulimit -n is the limit of the process";
        }
        return errno.equals(Errno.ENFILE) ? "/proc/sys/fs/file-max is the limit of the system" : "";
    }

    /**
     * A sentence on what to do, or an empty text when the error number says nothing of the node.
     *
     * @param errno the answer of open(2)
     * @param path the node
     * @param module the kernel module that makes the node
     */
    public static String forOpen(Errno errno, String path, String module) {
        if (errno.equals(Errno.ENOENT)) {
            return "There is no such node. Load the module: modprobe " + module
                    + "; in a container pass the node in: docker run --device=" + path;
        }
        if (errno.equals(Errno.EACCES) || errno.equals(Errno.EPERM)) {
            return "This user may not open it. As root: chmod a+rw " + path
                    + ", or a udev rule; in a container pass the node in: docker run --device=" + path;
        }
        if (errno.equals(Errno.ENXIO) || errno.equals(Errno.ENODEV)) {
            return "The node is there, but no driver is behind it: modprobe " + module + ", or the device is gone";
        }
        return "";
    }
}
