module pulumi-project-service/tools/docker-env-file

go 1.25

require github.com/docker/cli v29.9.3+incompatible

require gotest.tools/v3 v3.5.2 // indirect
