// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.mlx5.vectors;

import io.github.rdma4j.verbs.attr.LinkLayer;
import java.util.List;

/**
 * What a device and its kernel are like.
 *
 * @param name what the file of its vectors is called
 * @param link the link layer of the port
 * @param cqeVersion what completions carry: 0 the queue pair number, 1 the user index
 */
public record Mode(String name, LinkLayer link, int cqeVersion) {
    /** The modes that have vectors. */
    public static final List<Mode> ALL = List.of(
            new Mode("roce", LinkLayer.ETHERNET, 1),
            new Mode("infiniband", LinkLayer.INFINIBAND, 1),
            new Mode("cqe0", LinkLayer.ETHERNET, 0));

    /** The arguments of the program in C. */
    public List<String> arguments() {
        return List.of(link == LinkLayer.ETHERNET ? "roce" : "infiniband", Integer.toString(cqeVersion));
    }

    @Override
    public String toString() {
        return name;
    }
}
