// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.fabric;

/** What a switch consists of: its name, its ports and its tables. */
final class Chassis {
    private final int number;
    private final SwitchPort[] ports;
    private final ForwardingTables tables = new ForwardingTables();

    Chassis(int number, int externalPorts) {
        this.number = number;
        ports = new SwitchPort[externalPorts + 1];
        for (int port = 0; port <= externalPorts; port++) {
            ports[port] = new SwitchPort(port);
        }
    }

    int number() {
        return number;
    }

    String name() {
        return "rdma4j switch " + number;
    }

    long guid() {
        return 0x5254_00ff_fe4e_0000L | number << 8;
    }

    int externalPorts() {
        return ports.length - 1;
    }

    /** A port by its number; 0 is the switch itself. */
    SwitchPort port(int port) {
        return ports[port];
    }

    ForwardingTables tables() {
        return tables;
    }
}
