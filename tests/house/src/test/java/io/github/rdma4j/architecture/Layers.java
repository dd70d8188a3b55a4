// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.architecture;

import java.util.stream.Stream;

/** The packages of each layer, for {@link ArchitectureTest}. */
final class Layers {
    static final String ROOT = "io.github.rdma4j.";
    static final String INTERNAL = ROOT + "internal..";
    static final String LIBC = ROOT + "internal.libc..";
    static final String MEMORY = ROOT + "internal.memory..";
    static final String PROVIDERS = ROOT + "internal.[rxe|siw|connectx|mlx4|mlx5|erdma|irdma|bnxt|pvrdma]..";
    static final String IOCTL = ROOT + "internal.ioctl..";

    /** The layers, each with what it hides. */
    static final String[] KERNEL = {
        ROOT + "kernel..",
        LIBC,
        ROOT + "internal.fd..",
        ROOT + "internal.undo..",
        MEMORY,
        ROOT + "internal.abi..",
        ROOT + "internal.netlink.."
    };

    static final String[] VERBS = {
        ROOT + "verbs..",
        ROOT + "internal.verbs..",
        ROOT + "internal.uverbs..",
        IOCTL,
        PROVIDERS,
        ROOT + "internal.discovery..",
        ROOT + "internal.sysfs.."
    };
    static final String[] NETTY = {ROOT + "netty"};
    static final String[] NETTY_TRANSPORT = {ROOT + "netty.transport..", ROOT + "internal.netty.."};
    static final String[] RSOCKET = {ROOT + "rsocket..", ROOT + "internal.rsocket.."};
    static final String[] CM = {ROOT + "cm..", ROOT + "internal.ucm..", ROOT + "internal.cm.."};
    static final String[] UMAD = {ROOT + "umad..", ROOT + "internal.umad.."};
    static final String[] SM = {ROOT + "sm.."};
    static final String[] PROGRAMS = {
        ROOT + "cli..",
        ROOT + "research..",
        ROOT + "testbed..",
        ROOT + "providers..",
        ROOT + "bench..",
        ROOT + "stress..",
        ROOT + "soak.."
    };

    /** Structs and constants of the kernel's headers: bytes to values and back. */
    static final String[] WIRE = {
        ROOT + "internal.abi..",
        ROOT + "internal.uverbs..",
        ROOT + "internal.netlink..",
        ROOT + "internal.ucm..",
        ROOT + "internal.umad..",
        ROOT + "internal.mad.."
    };

    private Layers() {}

    static String[] all(String[]... layers) {
        return Stream.of(layers).flatMap(Stream::of).toArray(String[]::new);
    }
}
