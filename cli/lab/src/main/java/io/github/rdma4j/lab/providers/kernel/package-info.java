// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.providers.kernel;
