// SPDX-License-Identifier: Apache-2.0
/** The demonstration: Java and C exchange data by RDMA, in every combination, in a guest with soft-RoCE. */
@NullMarked
package io.github.rdma4j.cli.demo;

import org.jspecify.annotations.NullMarked;
