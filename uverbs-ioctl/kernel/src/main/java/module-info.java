// SPDX-License-Identifier: Apache-2.0

/**
 * Access to the kernel for all of rdma4j: descriptors, waiting, errors, and below them system calls, mapped memory and
 * netlink.
 *
 * <p>The packages {@code io.github.rdma4j.internal.*} are exported to the other modules of rdma4j only.
 */
// JNR's modules have names but no descriptors; the modules that internal packages are exported to are compiled later.
@SuppressWarnings({"requires-automatic", "module"})
module io.github.rdma4j.kernel {
    requires org.jnrproject.constants;
    requires org.jnrproject.ffi;
    requires org.jnrproject.jffi;
    requires org.jnrproject.posix;

    // Needed by JNR, which has no module descriptor to require it.
    requires java.logging;
    requires jdk.unsupported;
    requires org.objectweb.asm;
    requires org.objectweb.asm.commons;
    requires org.objectweb.asm.tree;
    requires org.objectweb.asm.tree.analysis;
    requires org.objectweb.asm.util;
    requires static org.jspecify;

    exports io.github.rdma4j.kernel;
    exports io.github.rdma4j.internal.abi to
            io.github.rdma4j.uverbs,
            io.github.rdma4j.cards,
            io.github.rdma4j.cm,
            io.github.rdma4j.sm,
            io.github.rdma4j.cli,
            io.github.rdma4j.testkit.model;
    exports io.github.rdma4j.internal.memory to
            io.github.rdma4j.uverbs,
            io.github.rdma4j.cm,
            io.github.rdma4j.rsocket,
            io.github.rdma4j.nio,
            io.github.rdma4j.disni,
            io.github.rdma4j.sm,
            io.github.rdma4j.cli,
            io.github.rdma4j.testkit,
            io.github.rdma4j.testkit.model;
    exports io.github.rdma4j.internal.netlink to
            io.github.rdma4j.uverbs,
            io.github.rdma4j.cm,
            io.github.rdma4j.testkit,
            io.github.rdma4j.testkit.model;
    exports io.github.rdma4j.internal.fd to
            io.github.rdma4j.uverbs,
            io.github.rdma4j.cm,
            io.github.rdma4j.rsocket,
            io.github.rdma4j.netty.transport,
            io.github.rdma4j.nio,
            io.github.rdma4j.disni,
            io.github.rdma4j.sm,
            io.github.rdma4j.cli,
            io.github.rdma4j.testkit,
            io.github.rdma4j.testkit.model;
    exports io.github.rdma4j.internal.libc to
            io.github.rdma4j.uverbs,
            io.github.rdma4j.nio,
            io.github.rdma4j.disni,
            io.github.rdma4j.cli,
            io.github.rdma4j.testkit;
    exports io.github.rdma4j.internal.undo to
            io.github.rdma4j.uverbs,
            io.github.rdma4j.cards,
            io.github.rdma4j.netty,
            io.github.rdma4j.cm,
            io.github.rdma4j.rsocket,
            io.github.rdma4j.netty.transport,
            io.github.rdma4j.disni,
            io.github.rdma4j.sm,
            io.github.rdma4j.cli;

    // JNR-FFI implements the function interfaces by classes that it defines at run time in the unnamed module.
    opens io.github.rdma4j.internal.libc;
}
