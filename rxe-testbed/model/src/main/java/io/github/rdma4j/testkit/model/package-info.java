// SPDX-License-Identifier: Apache-2.0
/**
 * A model of a kernel with one RDMA device and a connection manager, for tests of whole programs. See {@link
 * io.github.rdma4j.testkit.model.ModelRdmaCm}.
 */
@NullMarked
package io.github.rdma4j.testkit.model;

import org.jspecify.annotations.NullMarked;
