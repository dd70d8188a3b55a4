// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

/** The scenarios of the data path on a ConnectX in software. */
class Mlx5CardTest extends ConnectXCardScenarios {
    @Override
    CardBed bed(String name) {
        return CardBed.mlx5(name);
    }
}
