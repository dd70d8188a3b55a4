// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.fd;

import io.github.rdma4j.kernel.Errno;

/** Advice for a device node that cannot be opened, and for a process without free descriptors. */
public final class NodeAdvice {
    private NodeAdvice() {}

    /** Advice on descriptors; empty if the error number has another cause. */
    public static String forDescriptors(Errno errno) {
        if (errno.equals(Errno.EMFILE)) {
            return "Too many open files: raise the limit of the process (ulimit -n)";
        }
        return errno.equals(Errno.ENFILE)
                ? "Too many open files: raise the limit of the system (/proc/sys/fs/file-max)"
                : "";
    }

    /**
     * Advice on a node that cannot be opened; empty if the error number does not concern the node.
     *
     * @param errno the error number of open(2)
     * @param path the node
     * @param module the kernel module that creates the node
     */
    public static String forOpen(Errno errno, String path, String module) {
        if (errno.equals(Errno.ENOENT)) {
            return "The device node does not exist. Load the module: modprobe " + module
                    + "; in a container, pass the node: docker run --device=" + path;
        }
        if (errno.equals(Errno.EACCES) || errno.equals(Errno.EPERM)) {
            return "The user lacks permission. As root: chmod a+rw " + path
                    + ", or add a udev rule; in a container, pass the node: docker run --device=" + path;
        }
        if (errno.equals(Errno.ENXIO) || errno.equals(Errno.ENODEV)) {
            return "The device node has no driver: modprobe " + module + ", or the device was removed";
        }
        return "";
    }
}
