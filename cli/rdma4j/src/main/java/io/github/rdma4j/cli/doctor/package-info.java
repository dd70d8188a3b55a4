// SPDX-License-Identifier: Apache-2.0
/**
 * {@code rdma4j doctor}: the problems that prevent the use of RDMA on this machine or container, with remedies. All
 * checks examine one {@link io.github.rdma4j.cli.doctor.Survey}. With {@code --connections}: the connections of another JVM, which {@link
 * io.github.rdma4j.cli.doctor.AttachedJvm} asks.
 */
@NullMarked
package io.github.rdma4j.cli.doctor;

import org.jspecify.annotations.NullMarked;
