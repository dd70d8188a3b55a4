// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.mlx5.vectors;

import io.github.rdma4j.verbs.attr.LinkLayer;
import java.util.List;

/**
 * What a device and its kernel are like.
 *
 * @param name what the file of its vectors is called
 * @param link the link layer of the port
 * @param dynamic true for doorbell pages that the program allocates, false for those of kernels before Linux 5.7
 * @param cqeVersion what completions carry: 0 the queue pair number, 1 the user index
 */
public record Mode(String name, LinkLayer link, boolean dynamic, int cqeVersion) {
    /** The modes that have vectors. */
    public static final List<Mode> ALL = List.of(
            new Mode("roce", LinkLayer.ETHERNET, true, 1),
            new Mode("infiniband", LinkLayer.INFINIBAND, true, 1),
            new Mode("static", LinkLayer.ETHERNET, false, 1),
            new Mode("cqe0", LinkLayer.ETHERNET, true, 0));

    /** The arguments of the program in C. */
    public List<String> arguments() {
        return List.of(
                link == LinkLayer.ETHERNET ? "roce" : "infiniband",
                dynamic ? "dynamic" : "static",
                Integer.toString(cqeVersion));
    }

    @Override
    public String toString() {
        return name;
    }
}
