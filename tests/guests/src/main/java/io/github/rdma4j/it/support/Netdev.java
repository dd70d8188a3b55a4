// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.support;

import io.github.rdma4j.support.Program;

/** A network device without RDMA that exists for as long as a test needs it. */
public final class Netdev implements AutoCloseable {
    private final String name;

    private Netdev(String name) {
        this.name = name;
    }

    /** A pair of virtual Ethernet devices that nothing else is on, with an address on the first. */
    public static Netdev dummy(String name, String cidr) throws InterruptedException {
        Program.run("ip", "link", "add", name, "type", "veth", "peer", "name", name + "p");
        Netdev made = new Netdev(name);
        Program.run("ip", "address", "add", cidr, "dev", name);
        Program.run("ip", "link", "set", name, "up");
        Program.run("ip", "link", "set", name + "p", "up");
        return made;
    }

    public String name() {
        return name;
    }

    @Override
    public void close() {
        try {
            Program.run("ip", "link", "delete", name);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("deleting " + name, e);
        }
    }
}
