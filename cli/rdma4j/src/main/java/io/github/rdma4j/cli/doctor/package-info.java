// SPDX-License-Identifier: Apache-2.0
/**
 * {@code rdma4j doctor}: the problems that prevent the use of RDMA on this machine or container, with remedies. Each class
 * is a {@link io.github.rdma4j.cli.doctor.Check}; all checks examine one {@link io.github.rdma4j.cli.doctor.Survey}.
 */
@NullMarked
package io.github.rdma4j.cli.doctor;

import org.jspecify.annotations.NullMarked;
